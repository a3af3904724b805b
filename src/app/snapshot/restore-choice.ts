import { parseChoice, type RestoreChoice } from "../../core/snapshot/choose-mark.ts";
import { Failure } from "../../core/failure.ts";

export function restoreChoice(text: string | undefined, now: number): RestoreChoice {
  if (text === undefined) return { kind: "newest" };
  const choice = parseChoice(text, now);
  if (choice) return choice;
  const known = "use the number of a mark, a turn (t12), an age (10m, 2h), a clock time (14:05) or fit";
  throw new Failure("usage", `"${text}" is not a point: ${known}`);
}
