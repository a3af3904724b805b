import { has, isAmount, isTime, orNull } from "../../core/check-record.ts";
import type { UsageSample } from "../../core/cost/burn-rate.ts";
import { replaceFile } from "../../io/durable/durable.ts";
import { readOwnText, requireOwnDirectory } from "../../io/files/read-own-file.ts";

const pathOf = (shared: string): string => `${shared}/usage-history.json`;
const isWindow = has({ percent: isAmount, resetsAt: orNull(isTime) });
const isSample = has({
  time: isTime,
  usage: (value) => has({})(value) && Object.values(value as object).every(isWindow),
});

/** `usage-history.json`: the usage over time, oldest first. An unreadable one counts as empty. */
export function readUsageHistory(shared: string): UsageSample[] {
  try {
    requireOwnDirectory(shared);
    const value = JSON.parse(readOwnText(pathOf(shared)) ?? "null") as { version?: unknown; samples?: unknown } | null;
    const samples = value?.version === 1 && Array.isArray(value.samples) ? value.samples : [];
    return samples.filter((sample): sample is UsageSample => isSample(sample));
  } catch {
    return [];
  }
}

/** The caller holds the lock of the usage state. */
export function writeUsageHistory(shared: string, samples: readonly UsageSample[]): void {
  requireOwnDirectory(shared);
  replaceFile(pathOf(shared), JSON.stringify({ version: 1, samples }));
}
