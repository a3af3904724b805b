import type { FailureKind } from "../core/failure.ts";

/** Every help text ends with this table. */
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

const meanings: Record<keyof typeof exitCodes, string> = {
  done: "done",
  failed: "failed",
  usage: "wrong usage",
  partial: "partly done",
  "not-found": "nothing found",
  locked: "locked by another process",
  corrupt: "corrupt and not repairable",
  waiting: "at a limit, and not waiting for it",
  authentication: "authentication or billing",
  "no-claude": "claude not found",
  stopped: "stopped by the user",
};

export function renderExitCodes(): string[] {
  return Object.entries(exitCodes).map(
    ([name, code]) => `  ${String(code).padStart(3)}  ${meanings[name as keyof typeof exitCodes]}`,
  );
}
