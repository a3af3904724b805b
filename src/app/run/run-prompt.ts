import {
  contextMessage,
  type Digest,
  type Interruption,
  lostConversationPrompt,
  type Work,
} from "../../core/restart/context-message.ts";
import type { LostWork } from "../../core/restart/lost-work.ts";
import type { RunLedger } from "../run-records/run-ledger.ts";

export interface KnownWork {
  readonly isResumed: boolean;
  /** What the last restore cut off. */
  readonly digest: Digest | undefined;
  readonly lost: LostWork;
  /** Background tasks that ended with the last attempt. */
  readonly lostTasks: readonly string[];
}

/** The prompt for the next attempt of a run: the task, and what was done for it. */
export function runPrompt(ledger: RunLedger, { isResumed, digest, lost, lostTasks }: KnownWork): string {
  const work = workOf(ledger, lostTasks);
  if (!isResumed) return lostConversationPrompt(work, lost);
  const why = interruptions[ledger.record.status.cause ?? ""] ?? "interrupted";
  const cutOff = why === "overload" ? digest : undefined;
  // The digest already has the last sentence.
  return contextMessage(why, cutOff, cutOff ? { ...work, lastSentence: undefined } : work, lost);
}

const workOf = ({ record, steps, filesWritten }: RunLedger, lostTasks: readonly string[]): Work => ({
  task: record.plan.task,
  lastStep: steps.at(-1),
  steps: steps.length,
  lastSentence: steps.length > 0 ? undefined : (record.status.lastStep ?? undefined),
  files: filesWritten,
  lostTasks,
});

const interruptions: Record<string, Interruption> = {
  limit: "limit",
  server: "server",
  overload: "overload",
  crash: "crash",
  empty: "crash",
  unfinished: "unfinished",
};
