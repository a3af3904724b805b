import { type Checkpoint, compose, emptyCheckpoint, isThin, most, type Writer } from "./checkpoint.ts";
import type { Merged } from "./checkpoint-merge.ts";
import { oneLine } from "./one-line.ts";

/** What somebody wants to have saved; undefined leaves what was written before, null removes it. */
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

/** A save on purpose: the given words are written, the others stay; a new goal starts with nothing done. */
export function mergeSave(before: Checkpoint | undefined, { by, sessionId, directory, now, words }: Save): Merged {
  const clean = (text: string | null | undefined, limit: number = most.words): string | null =>
    (text === null || text === undefined ? null : oneLine(text, limit)) || null;
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
  const files = (words.files ?? []).flatMap((file) => clean(file, most.path) ?? []);
  const checkpoint = compose({
    ...base,
    time: now,
    source: by,
    reason: "save",
    waiting: null,
    finished: words.finished ?? false,
    written: {
      by,
      at: now,
      goal: goal === undefined ? (old?.goal ?? null) : goal,
      done: [...new Set(done)].slice(-most.items),
      next: words.next === undefined ? (sameGoal ? (old?.next ?? null) : null) : clean(words.next),
      blocker: words.blocker === undefined ? (sameGoal ? (old?.blocker ?? null) : null) : clean(words.blocker),
    },
    where: {
      ...base.where,
      files: [...new Set([...files, ...base.where.files])].slice(0, most.files),
      pullRequest: words.pullRequest === undefined ? base.where.pullRequest : clean(words.pullRequest, most.path),
      issue: words.issue === undefined ? base.where.issue : clean(words.issue, most.path),
    },
  });
  const dropsWords = old !== null && !sameGoal && (old.done.length > 0 || old.next !== null || old.blocker !== null);
  const isKept = before !== undefined && ((newWork && !isThin(before)) || dropsWords);
  return { checkpoint, changed: true, replaced: isKept ? before : null };
}
