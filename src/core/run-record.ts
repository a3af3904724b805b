import type { FailureKind } from "./failure.ts";

/** How a run is held: Claude's print mode under our supervision, its terminal interface in a terminal of ours, or a service's. */
export type RunKind = "headless" | "interactive" | "service";

/** Where a run stands. `paused` was left by the user's wish and can be resumed; the last three have ended. */
export type Phase =
  "starting" | "working" | "waiting-limit" | "backing-off" | "recovering" | "paused" | "done" | "failed" | "stopped";

/** What a run is: on disk before Claude starts, and never changed. A resume takes its rights from here and nowhere else. */
export interface RunPlan {
  readonly id: string;
  readonly kind: RunKind;
  /** The user's own words. */
  readonly task: string;
  readonly cwd: string;
  /** The run's records, below `<project>/.ai-runtime/sessions`. */
  readonly directory: string;
  /** Chosen by us, so that it is known whatever happens. */
  readonly sessionId: string;
  /** The executable. */
  readonly claude: string;
  /** The user's flags for claude, all of them. */
  readonly flags: readonly string[];
  /** As the flags say it; null is Claude's own default. */
  readonly permissionMode: string | null;
  readonly claudeConfig: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** The longest wait for a limit, in milliseconds; null waits as long as it takes. */
  readonly maxWait: number | null;
  readonly maxBudgetUsd: number | null;
}

/** One process for ever: see platform/platform.ts. */
export interface ProcessMark {
  readonly pid: number;
  readonly startTime: string;
  readonly bootId: string;
}

/** What the supervisor writes at every change; everybody else only reads it. */
export interface RunStatus {
  readonly phase: Phase;
  /** Milliseconds since 1970: when the phase began, and when its wait ends. */
  readonly since: number;
  readonly until: number | null;
  /** Why it was last interrupted, or why it ended, in one of our words. */
  readonly cause: string | null;
  /** Starts of claude, and how many of the last ones in a row brought no answer. */
  readonly attempts: number;
  readonly fruitless: number;
  /** Restores after an overload, in a row. */
  readonly restores: number;
  readonly steps: number;
  readonly lastStep: string | null;
  readonly costUsd: number;
  /** How whoever waits for it is to end; null while it goes on. */
  readonly exit: FailureKind | "done" | null;
  /** Who holds it, and the claude that it started: set at the start of each, kept after their end. */
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

/** Ended from outside, as by a shutdown, and nobody said that it is to stay so. */
export const wasShutDown = ({ status }: RunRecord): boolean => status.phase === "paused" && status.cause === "shutdown";

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
