import { has, isAmount, isText, isTexts, isTime, orNull } from "../check-record.ts";

/** `waiting`: a limit released it. `done`, `failed` and `stopped` have ended for good. */
export const fleetStates = ["queued", "running", "waiting", "done", "failed", "stopped"] as const;
export type FleetState = (typeof fleetStates)[number];

export const hasFleetRunEnded = (state: FleetState): boolean => ["done", "failed", "stopped"].includes(state);

/** What the user asked for. The database holds it encrypted. */
export interface FleetTask {
  readonly version: 1;
  readonly task: string;
  /** Claude's flags; see claude/argv/fleet-flags.ts. */
  readonly flags: readonly string[];
  readonly permissionMode: string | null;
  readonly maxBudgetUsd: number | null;
  /** Without credentials; null: an empty directory. */
  readonly repo: string | null;
  /** A branch, tag or commit; null: what the repository has checked out. */
  readonly ref: string | null;
  readonly labels: readonly string[];
  /** The name of the machine that queued it. */
  readonly from: string;
  readonly created: number;
}

export const isFleetTask = has({
  version: (value) => value === 1,
  task: isText,
  flags: isTexts,
  permissionMode: orNull(isText),
  maxBudgetUsd: orNull(isAmount),
  repo: orNull(isText),
  ref: orNull(isText),
  labels: isTexts,
  from: isText,
  created: isTime,
} satisfies Record<keyof FleetTask, (value: unknown) => boolean>);

/** How a run ended, or why it waits. The database holds it encrypted. */
export interface FleetOutcome {
  readonly version: 1;
  /** In words. */
  readonly why: string | null;
  readonly answer: string | null;
  readonly worker: string;
  readonly account: string;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly base: string | null;
  /** Whether the branch is in the repository. */
  readonly isPushed: boolean;
  readonly costUsd: number;
}

export const isFleetOutcome = has({
  version: (value) => value === 1,
  why: orNull(isText),
  answer: orNull(isText),
  worker: isText,
  account: isText,
  branch: orNull(isText),
  commit: orNull(isText),
  base: orNull(isText),
  isPushed: (value) => typeof value === "boolean",
  costUsd: isAmount,
} satisfies Record<keyof FleetOutcome, (value: unknown) => boolean>);

// What a ciphertext is bound to: elsewhere it cannot be opened.

export const taskBinding = (run: string): string => `fleet-task|${run}`;
export const baseBinding = (run: string): string => `fleet-base|${run}`;
export const outcomeBinding = (run: string, fence: number): string => `fleet-outcome|${run}|${fence}`;
export const patchBinding = (run: string): string => `fleet-patch|${run}`;

export const branchOf = (run: string): string => `ai-runtime/${run}`;

const label = /^[a-z0-9][a-z0-9._-]{0,39}$/;

/** `gpu,linux`; undefined when one of them is not a label. */
export function readLabels(text: string | undefined): string[] | undefined {
  const labels = (text ?? "").split(",").map((each) => each.trim().toLowerCase());
  const given = [...new Set(labels.filter((each) => each !== ""))].sort();
  return given.every((each) => label.test(each)) ? given : undefined;
}
