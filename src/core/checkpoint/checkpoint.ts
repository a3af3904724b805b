/** Who saved a checkpoint on purpose. */
export type Writer = "claude" | "user";

export interface Task {
  id: string;
  subject: string;
  status: "pending" | "in_progress" | "completed";
}

/** What Claude (with the skill), the user or a script saved on purpose. Hooks never change it. */
export interface Written {
  by: Writer;
  at: number;
  goal: string | null;
  done: string[];
  next: string | null;
  blocker: string | null;
}

/** State of the last turn: Claude works on it (or died while working), answered, or failed. */
export type Turn = "working" | "answered" | "failed";

/** What the hooks recorded of the session. */
export interface Seen {
  /** The newest prompt that Claude worked on; `earlier` holds the ones before it. */
  goal: string | null;
  goalAt: number;
  earlier: string[];
  /** Claude has done work since that prompt. */
  worked: boolean;
  /** A later prompt without work so far; it may only be a question. */
  request: string | null;
  requestAt: number;
  /** Commits, pushes, pull requests. */
  done: string[];
  tasks: Task[];
  tasksAt: number;
  turn: Turn;
  lastMessage: string | null;
  /** Why Claude failed. */
  failure: string | null;
  /** Usage when a limit was nearly reached. */
  usage: string | null;
}

export interface Where {
  directory: string;
  repository: string | null;
  branch: string | null;
  /** The last recorded commit; later ones in git's log are new. */
  commit: string | null;
  /** Newest first. */
  files: string[];
  pullRequest: string | null;
  issue: string | null;
}

/** `checkpoint.json`: what a new session needs. `compose` derives goal, done, next and blocker from `written` and `seen`. */
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
  /** The work is complete, so new sessions do not see it. */
  finished: boolean;
  written: Written | null;
  seen: Seen;
  /** Another session with a prompt but no work yet. Its first work replaces this checkpoint. */
  waiting: { sessionId: string; goal: string; at: number } | null;
}

/** Text lengths in characters (`words`, `path`) and numbers of entries. */
export const bounds = { words: 400, items: 30, files: 30, tasks: 50, earlier: 3, path: 500 } as const;

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
 * Derives the fields that readers use. Written words stay as they are; recorded work adds to `done`, and a newer task list
 * decides `next`.
 */
export function compose(checkpoint: Checkpoint): Checkpoint {
  const { written, seen } = checkpoint;
  const openTask =
    seen.tasks.find(({ status }) => status === "in_progress") ?? seen.tasks.find(({ status }) => status === "pending");
  const seenNext = openTask?.subject ?? null;
  const newerTasks = written === null || seen.tasksAt > written.at;
  const seenDone = [...seen.done, ...seen.tasks.filter(({ status }) => status === "completed").map((t) => t.subject)];
  const fresh = seenDone.filter((item) => !written?.done.includes(item));
  const room = Math.max(0, bounds.items - (written?.done.length ?? 0));
  return {
    ...checkpoint,
    goal: written?.goal ?? seen.goal,
    done: [...(written?.done ?? []), ...(room === 0 ? [] : fresh.slice(-room))],
    next: (newerTasks ? seenNext : null) ?? written?.next ?? null,
    blocker: written?.blocker ?? seen.failure,
  };
}

/** Only a prompt and perhaps an answer: losing it costs no work. */
export function isThin({ written, seen, where }: Checkpoint): boolean {
  return written === null && seen.done.length === 0 && seen.tasks.length === 0 && where.files.length === 0;
}

const dayMs = 86_400_000;

/** Whether a new session continues from `candidate` instead of `present`: the newer one, but talk does not replace work. */
export function leads(candidate: Checkpoint, present: Checkpoint): boolean {
  if (candidate.where.directory === present.where.directory) return candidate.time >= present.time;
  const isOpenWork = (checkpoint: Checkpoint): boolean => !checkpoint.finished && !isThin(checkpoint);
  if (isThin(candidate) && isOpenWork(present)) return false;
  return candidate.time >= present.time || (isThin(present) && isOpenWork(candidate));
}

/** Whether a new session should see it. */
export function isWorthShowing(checkpoint: Checkpoint, now: number, staleDays: number): boolean {
  const { goal, next, finished, time, seen } = checkpoint;
  // An answered question without work is complete.
  if (isThin(checkpoint) && seen.turn === "answered") return false;
  // A time in the future comes from a clock that was wrong then; the age is negative and passes.
  return !finished && (goal ?? next) !== null && now - time <= staleDays * dayMs;
}
