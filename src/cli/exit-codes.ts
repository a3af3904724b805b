import type { FailureKind } from "../core/failure.ts";

/** The one table; every help text ends with it. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  partial: 3,
  "not-found": 4,
  locked: 5,
  corrupt: 6,
  waiting: 75,
  authentication: 77,
  "no-claude": 127,
  stopped: 130,
} as const satisfies Record<FailureKind | "done", number>;

const meanings: readonly (readonly [keyof typeof exitCodes, string])[] = [
  ["done", "done"],
  ["failed", "failed"],
  ["usage", "wrong usage"],
  ["partial", "done in part"],
  ["not-found", "nothing found"],
  ["locked", "locked by another process"],
  ["corrupt", "corrupt and not repairable"],
  ["waiting", "waiting for a limit and told not to wait"],
  ["authentication", "authentication or billing"],
  ["no-claude", "claude not found"],
  ["stopped", "stopped by the user"],
];

export function renderExitCodes(): string[] {
  return meanings.map(([name, meaning]) => `  ${String(exitCodes[name]).padStart(3)}  ${meaning}`);
}
