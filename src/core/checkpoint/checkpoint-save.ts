import { type Checkpoint, compose, emptyCheckpoint, isThin, bounds, type Writer } from "./checkpoint.ts";
import type { Merged } from "./checkpoint-merge.ts";
import { shortenToLine } from "../shorten-to-line.ts";

/** The fields of a save: undefined keeps the earlier value, null removes it. */
export interface Words {
  goal?: string | null;
  done?: string[];
  next?: string | null;
  blocker?: string | null;
  files?: string[];
  pullRequest?: string | null;
  issue?: string | null;
  finished?: boolean;
}

export interface Save {
  by: Writer;
  sessionId: string | null;
  directory: string;
  now: number;
  words: Words;
}

/** Merges a save. Fields that are not given stay; a new goal starts with nothing done, and finished work has no next step or blocker. */
export function mergeSave(before: Checkpoint | undefined, { by, sessionId, directory, now, words }: Save): Merged {
  const clean = (text: string | null | undefined, limit: number = bounds.words): string | null =>
    (text === null || text === undefined ? null : shortenToLine(text, limit)) || null;
  const goal = words.goal === undefined ? undefined : clean(words.goal);
  const other =
    before !== undefined && before.sessionId !== null && sessionId !== null && before.sessionId !== sessionId;
  const newWork = before === undefined || (goal !== undefined && goal !== before.goal && (other || before.finished));
  const base = newWork
    ? emptyCheckpoint(directory, sessionId, now)
    : { ...before, sessionId: sessionId ?? before.sessionId };
  const old = base.written;
  const sameGoal = goal === undefined || old === null || old.goal === null || goal === old.goal;
  const done = [...(sameGoal ? (old?.done ?? []) : []), ...(words.done ?? []).flatMap((text) => clean(text) ?? [])];
  const finished = words.finished ?? false;
  const ahead = (given: string | null | undefined, earlier: string | null | undefined): string | null =>
    given === undefined ? (sameGoal && !finished ? (earlier ?? null) : null) : clean(given);
  const files = (words.files ?? []).flatMap((file) => clean(file, bounds.path) ?? []);
  const checkpoint = compose({
    ...base,
    time: now,
    source: by,
    reason: "save",
    waiting: null,
    finished,
    written: {
      by,
      at: now,
      goal: goal === undefined ? (old?.goal ?? null) : goal,
      done: [...new Set(done)].slice(-bounds.items),
      next: ahead(words.next, old?.next),
      blocker: ahead(words.blocker, old?.blocker),
    },
    // A failure that the hooks recorded would be shown as the blocker.
    seen: finished ? { ...base.seen, failure: null } : base.seen,
    where: {
      ...base.where,
      files: [...new Set([...files, ...base.where.files])].slice(0, bounds.files),
      pullRequest: words.pullRequest === undefined ? base.where.pullRequest : clean(words.pullRequest, bounds.path),
      issue: words.issue === undefined ? base.where.issue : clean(words.issue, bounds.path),
    },
  });
  const dropsAhead = old !== null && (!sameGoal || finished) && (old.next !== null || old.blocker !== null);
  const dropsDone = old !== null && !sameGoal && old.done.length > 0;
  const isKept = before !== undefined && ((newWork && !isThin(before)) || dropsAhead || dropsDone);
  return { checkpoint, changed: true, replaced: isKept ? before : null };
}
