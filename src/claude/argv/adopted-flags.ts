import { joinArguments, splitArguments, valueOf } from "./flags.ts";

/** A run prints events of its own and takes no input. */
const setByRuns = new Set([
  "print",
  "verbose",
  "output-format",
  "input-format",
  "include-partial-messages",
  "replay-user-messages",
]);

/** The flags of a `claude -p`, without those that a run sets itself. */
export const adoptedFlags = (flags: readonly string[]): string[] =>
  joinArguments(
    splitArguments(flags).filter((segment) => segment.kind !== "flag" || !setByRuns.has(segment.flag.name)),
  );

/** The limit of --max-budget-usd; null when it is absent, or not one that claude accepts. */
export function budgetOf(flags: readonly string[]): number | null {
  const budget = Number(valueOf(splitArguments(flags), "max-budget-usd") ?? Number.NaN);
  return budget > 0 && Number.isFinite(budget) ? budget : null;
}
