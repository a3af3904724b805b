import type { FailureKind } from "../failure.ts";

/** What runs claude: a supervisor in print mode, a host with its terminal interface, or a service. */
export type RunKind = "headless" | "interactive" | "service";

/** `queued` waits in the queue and has not started; `paused` can be resumed; `done`, `failed` and `stopped` have ended. */
export const phases = [
  "queued",
  "starting",
  "working",
  "waiting-limit",
  "backing-off",
  "recovering",
  "paused",
  "done",
  "failed",
  "stopped",
] as const;
export type Phase = (typeof phases)[number];

/** Written before Claude starts and never changed. A resume takes its permissions from here alone. */
export interface RunPlan {
  readonly id: string;
  readonly kind: RunKind;
  /** In the user's own words. */
  readonly task: string;
  readonly cwd: string;
  /** Of the run's records, below `<project>/.ai-runtime/sessions`. */
  readonly directory: string;
  /** Chosen by ai-runtime, so it is known before Claude reports it. */
  readonly sessionId: string;
  /** Path of the executable. */
  readonly claude: string;
  /** All of the user's flags for claude. */
  readonly flags: readonly string[];
  /** From the flags; null is Claude's default. */
  readonly permissionMode: string | null;
  readonly claudeConfig: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** The longest wait in milliseconds, for a limit or for an API that fails; null has no maximum. */
  readonly maxWait: number | null;
  readonly maxBudgetUsd: number | null;
  /** Set while this is a session of cclaude in the user's own terminal or script; a recovery makes it a run and removes this. */
  readonly cclaude?: CclaudeInput;
  /** A worker does it for the fleet: only a worker resumes it. */
  readonly isOfFleet?: boolean;
}

export interface CclaudeInput {
  /** The prompt may have come through a pipe, so `task` may lack a part of it. */
  readonly isPiped: boolean;
}

/** Identifies one process, even after its pid is reused: see platform/platform.ts. */
export interface ProcessMark {
  readonly pid: number;
  readonly startTime: string;
  readonly bootId: string;
}

export const isSameMark = (one: ProcessMark | null, other: ProcessMark | null): boolean =>
  one?.pid === other?.pid && one?.startTime === other?.startTime && one?.bootId === other?.bootId;

/** The supervisor writes it at every change; all other processes only read it. */
export interface RunStatus {
  readonly phase: Phase;
  /** Milliseconds since 1970: when the phase began, and when its wait ends. */
  readonly since: number;
  readonly until: number | null;
  /** Why the run was last interrupted or why it ended, in ai-runtime's own terms. */
  readonly cause: string | null;
  readonly attempts: number;
  /** Attempts in a row without an answer and with the same trouble, up to the last one. */
  readonly fruitless: number;
  /** Restores after an overload, in a row. */
  readonly restores: number;
  /** Milliseconds since 1970: when the API or the network began to fail; absent in records of version 0.1. */
  readonly failingSince?: number | null;
  /** The wait takes place inside claude, whose process lives; absent in records of version 0.1. */
  readonly claudeWaits?: boolean;
  readonly steps: number;
  readonly lastStep: string | null;
  readonly costUsd: number;
  /** How the command that follows the run exits; null while the run is active. */
  readonly exit: FailureKind | "done" | null;
  /** The supervisor and its claude: set when each starts, kept after it ends. */
  readonly supervisor: ProcessMark | null;
  readonly child: ProcessMark | null;
}

export interface RunRecord {
  readonly version: 1;
  readonly plan: RunPlan;
  readonly status: RunStatus;
}

const ended: ReadonlySet<Phase> = new Set<Phase>(["done", "failed", "stopped"]);

export const hasEnded = (phase: Phase): boolean => ended.has(phase);

/** There is nothing to resume: a failed run can be continued, a run that is done or stopped cannot. */
export const isFinal = (phase: Phase): phase is "done" | "stopped" => phase === "done" || phase === "stopped";

/** The system ended it, at a shutdown, with its terminal or by a kill, and the user did not ask it to stay paused. */
export const wasShutDown = ({ status }: RunRecord): boolean =>
  status.phase === "paused" && ["shutdown", "hangup", "killed"].includes(status.cause ?? "");

/** It failed by trouble that may be over by now. Version 0.1 gave up at limits, too. */
export const gaveUp = ({ status }: RunRecord): boolean =>
  status.phase === "failed" && ["server", "crash", "limit"].includes(status.cause ?? "");

export const newRun = (plan: RunPlan): RunRecord => ({
  version: 1,
  plan,
  status: {
    phase: "starting",
    since: plan.created,
    until: null,
    cause: null,
    attempts: 0,
    fruitless: 0,
    restores: 0,
    steps: 0,
    lastStep: null,
    costUsd: 0,
    exit: null,
    supervisor: null,
    child: null,
  },
});
