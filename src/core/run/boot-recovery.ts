import { type Check, has, isProcessMark, isText, isTexts, isTime, orNull } from "../check-record.ts";
import { maxOrphanAgeMs } from "./orphaned-session.ts";
import { gaveUp, isSameMark, type ProcessMark, type RunPlan, type RunRecord } from "./run-record.ts";

/** The setting `recoverAtLogin`. */
export type LoginPolicy = "runs" | "all" | "ask";

/** `boot.json`: what the recovery of one boot has done. Only the holder of its lock writes it. */
export interface BootRecord {
  readonly version: 1;
  readonly bootId: string;
  /** `begun`: a killed recovery continues; `done`: this boot is recovered. */
  readonly state: "begun" | "done";
  /** Milliseconds since 1970: when it was written. */
  readonly time: number;
  /** Written before each start, with the supervisor that the run had until then. */
  readonly taken: readonly TakenRun[];
  /** Of a recovery that is done: the ids of what could not be continued, and of what was left to the user. */
  readonly failed?: readonly string[];
  readonly left?: readonly string[];
}

export interface TakenRun {
  readonly id: string;
  readonly supervisor: ProcessMark | null;
}

const areIds: Check = (value) => value === undefined || isTexts(value);

const isShaped = has({
  version: (value) => value === 1,
  bootId: isText,
  state: (value) => value === "begun" || value === "done",
  time: isTime,
  taken: (value) => Array.isArray(value) && value.every(has({ id: isText, supervisor: orNull(isProcessMark) })),
  failed: areIds,
  left: areIds,
} satisfies Record<keyof BootRecord, Check>);

/** Undefined when any field is invalid. */
export function parseBootRecord(text: string): BootRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isShaped(value) ? (value as BootRecord) : undefined;
  } catch {
    return undefined;
  }
}

export interface BootSituation {
  readonly policy: LoginPolicy;
  readonly bootId: string;
  /** What an earlier, killed recovery of this boot has taken. */
  readonly taken: readonly TakenRun[];
  readonly now: number;
}

/** `left`: interrupted, and the policy leaves them to the user. */
export interface BootChoice {
  readonly resumed: readonly RunRecord[];
  readonly left: readonly RunRecord[];
}

/**
 * Which of the recoverable runs the end of an earlier boot has interrupted, and which of those continue by themselves. A run that
 * gave up has ended before the boot did; one that died since the boot was not interrupted by it.
 */
export function chooseAfterBoot(runs: readonly RunRecord[], situation: BootSituation): BootChoice {
  const interrupted = runs.filter((run) => isOfEarlierBoot(run, situation));
  const { policy } = situation;
  const continues = (run: RunRecord): boolean => policy === "all" || (policy === "runs" && isTask(run.plan));
  return {
    resumed: interrupted.filter(continues),
    left: interrupted.filter((run) => !continues(run)),
  };
}

/** An `ai-runtime run`, not a session of a terminal or of a script. */
export const isTask = ({ kind, cclaude }: RunPlan): boolean => kind === "headless" && cclaude === undefined;

function isOfEarlierBoot(run: RunRecord, { bootId, taken, now }: BootSituation): boolean {
  const { supervisor, since, until } = run.status;
  if (gaveUp(run) || supervisor?.bootId === bootId) return false;
  // The user has moved on.
  if (now - Math.max(since, until ?? 0) > maxOrphanAgeMs) return false;
  // A start that was recorded, but did not happen, leaves the supervisor as it was.
  const before = taken.find(({ id }) => id === run.plan.id);
  return before === undefined || isSameMark(before.supervisor, supervisor);
}
