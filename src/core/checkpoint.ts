/** Who wrote a checkpoint's words: somebody on purpose, or the hooks by watching. */
export type Writer = "claude" | "user";

export interface Task {
  id: string;
  subject: string;
  status: "pending" | "in_progress" | "completed";
}

/** What was written on purpose: by Claude with the skill, by a person, by a script. Hooks never touch it. */
export interface Written {
  by: Writer;
  at: number;
  goal: string | null;
  done: string[];
  next: string | null;
  blocker: string | null;
}

/** How the last turn stands: Claude is at it (or died at it), has answered, or failed. */
export type Turn = "working" | "answered" | "failed";

/** What the hooks saw of the session, without the model's help. */
export interface Seen {
  /** The newest prompt that was worked on; `earlier` are those before it. */
  goal: string | null;
  goalAt: number;
  earlier: string[];
  /** Whether anything was done since that prompt. */
  worked: boolean;
  /** A prompt that came after, and has not been worked on: it may be no more than a question. */
  request: string | null;
  requestAt: number;
  /** Commits, pushes, pull requests. */
  done: string[];
  tasks: Task[];
  tasksAt: number;
  turn: Turn;
  lastMessage: string | null;
  /** Why Claude failed, in words. */
  failure: string | null;
  /** How much of a limit was used when it was nearly reached, in words. */
  usage: string | null;
}

export interface Where {
  directory: string;
  repository: string | null;
  branch: string | null;
  /** The last commit seen: what follows it in git's log is new. */
  commit: string | null;
  /** The newest first. */
  files: string[];
  pullRequest: string | null;
  issue: string | null;
}

/** `checkpoint.json`: what a cold start needs. The words are composed of what was written and what was seen. */
export interface Checkpoint {
  version: 1;
  time: number;
  source: Writer | "hook";
  /** The event or command that saved it. */
  reason: string;
  sessionId: string | null;
  goal: string | null;
  done: string[];
  next: string | null;
  blocker: string | null;
  where: Where;
  /** Nothing is left to do: not shown to new sessions. */
  finished: boolean;
  written: Written | null;
  seen: Seen;
  /** Another session that has asked for something, but has not worked yet; its work makes it the checkpoint. */
  waiting: { sessionId: string; goal: string; at: number } | null;
}

export const most = { words: 400, items: 30, files: 30, tasks: 50, earlier: 3, path: 500 } as const;

export function emptySeen(): Seen {
  return {
    goal: null,
    goalAt: 0,
    earlier: [],
    worked: false,
    request: null,
    requestAt: 0,
    done: [],
    tasks: [],
    tasksAt: 0,
    turn: "answered",
    lastMessage: null,
    failure: null,
    usage: null,
  };
}

export function emptyCheckpoint(directory: string, sessionId: string | null, time: number): Checkpoint {
  return {
    version: 1,
    time,
    source: "hook",
    reason: "",
    sessionId,
    goal: null,
    done: [],
    next: null,
    blocker: null,
    where: { directory, repository: null, branch: null, commit: null, files: [], pullRequest: null, issue: null },
    finished: false,
    written: null,
    seen: emptySeen(),
    waiting: null,
  };
}

/**
 * The words on top. What was written stays as it is; what was seen since only adds to it: done grows, and the next step
 * follows a task list that is newer.
 */
export function compose(checkpoint: Checkpoint): Checkpoint {
  const { written, seen } = checkpoint;
  const openTask =
    seen.tasks.find(({ status }) => status === "in_progress") ?? seen.tasks.find(({ status }) => status === "pending");
  const seenNext = openTask?.subject ?? null;
  const newerTasks = written === null || seen.tasksAt > written.at;
  const seenDone = [...seen.done, ...seen.tasks.filter(({ status }) => status === "completed").map((t) => t.subject)];
  const fresh = seenDone.filter((item) => !written?.done.includes(item));
  const room = Math.max(0, most.items - (written?.done.length ?? 0));
  return {
    ...checkpoint,
    goal: written?.goal ?? seen.goal,
    done: [...(written?.done ?? []), ...(room === 0 ? [] : fresh.slice(-room))],
    next: (newerTasks ? seenNext : null) ?? written?.next ?? null,
    blocker: written?.blocker ?? seen.failure,
  };
}

/** Nothing in it that would be missed: a prompt, maybe an answer, and no work. */
export function isThin({ written, seen, where }: Checkpoint): boolean {
  return written === null && seen.done.length === 0 && seen.tasks.length === 0 && where.files.length === 0;
}

const day = 86_400_000;

/** Which of two directories' checkpoints is the one to go on with: the newer, but talk does not push out work. */
export function leads(candidate: Checkpoint, present: Checkpoint): boolean {
  if (candidate.where.directory === present.where.directory) return candidate.time >= present.time;
  const isOpenWork = (checkpoint: Checkpoint): boolean => !checkpoint.finished && !isThin(checkpoint);
  if (isThin(candidate) && isOpenWork(present)) return false;
  return candidate.time >= present.time || (isThin(present) && isOpenWork(candidate));
}

/** Whether a new session should hear of it. */
export function isWorthTelling(checkpoint: Checkpoint, now: number, staleDays: number): boolean {
  const { goal, next, finished, time, seen } = checkpoint;
  // Asked, answered, nothing done: over.
  if (isThin(checkpoint) && seen.turn === "answered") return false;
  // Times of the future come from a clock that was put right since.
  return !finished && (goal ?? next) !== null && now - time <= staleDays * day;
}
