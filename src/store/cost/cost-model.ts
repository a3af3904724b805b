import { has, isAmount, orNull } from "../../core/check-record.ts";
import { type CostModel, newCostModel } from "../../core/cost/cold-resume.ts";
import { makeDirectory, replaceFile } from "../../io/durable/durable.ts";
import { readText } from "../../io/files/read-file.ts";

const isModel = has({ version: (value) => value === 1, ratio: isAmount, percentPerMillion: orNull(isAmount) });
const pathOf = (stateRoot: string): string => `${stateRoot}/cost-model.json`;

/** `cost-model.json`; an unreadable one counts as new. */
export function readCostModel(stateRoot: string): CostModel {
  try {
    const value: unknown = JSON.parse(readText(pathOf(stateRoot)) ?? "null");
    return isModel(value) ? (value as CostModel) : newCostModel;
  } catch {
    return newCostModel;
  }
}

export function writeCostModel(stateRoot: string, { ratio, percentPerMillion }: CostModel): void {
  makeDirectory(stateRoot);
  replaceFile(pathOf(stateRoot), `${JSON.stringify({ version: 1, ratio, percentPerMillion })}\n`);
}
