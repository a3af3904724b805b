import {
  type Checkpoint,
  compose,
  emptyCheckpoint,
  emptySeen,
  isThin,
  bounds,
  type Seen,
  type Task,
} from "./checkpoint.ts";
import { isContextMessage, usersWords } from "../restart/context-message.ts";
import { shortenToLine } from "../shorten-to-line.ts";

/** One observation of a hook, the status line or the stream. */
export type Evidence =
  | { kind: "prompt"; text: string }
  | { kind: "edit"; file: string }
  | { kind: "done"; text: string }
  | { kind: "pull-request"; url: string }
  | { kind: "tasks"; tasks: Task[] }
  | { kind: "task"; id: string; subject: string | null; status: Task["status"] | "deleted" }
  | { kind: "where"; repository: string; branch: string | null; commit: string | null }
  | { kind: "answer"; message: string | null }
  | { kind: "failure"; error: string; message: string | null }
  | { kind: "near-cap"; text: string }
  /** A run completed its task. */
  | { kind: "finished" };

export interface Sighting {
  sessionId: string;
  directory: string;
  /** The hook's event, or the name of another observer. */
  reason: string;
  now: number;
  evidence: Evidence[];
  /** This session's own checkpoint, which another session replaced. */
  own?: Checkpoint | undefined;
}

export interface Merged {
  checkpoint: Checkpoint;
  /** False when only the time would change, so that no write is needed. */
  changed: boolean;
  /** The checkpoint of another session that this one replaces. */
  replaced: Checkpoint | null;
}

/** Evidence of work, as opposed to talk. It makes a waiting session the current one. */
const workKinds = new Set<Evidence["kind"]>(["edit", "done", "pull-request", "tasks", "task", "near-cap"]);

/** A prompt that only says to continue. */
function isGoAhead(text: string): boolean {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/[.!,]+/g, "");
  return /^(y|yes|yep|yeah|ok|okay|sure|please|thanks?|thank you|continue|go on|go ahead|proceed|resume|next|do it|ja|weiter|mach weiter|carry on|keep going|yes please|yes continue|please continue)$/.test(
    plain,
  );
}

/** A command, a note of claude itself, or our own message to Claude is not a goal of the user. */
const isNoGoal = (text: string): boolean => /^\s*[/!<]/.test(text) || isContextMessage(text);

const withoutOurWords = (evidence: Evidence): Evidence =>
  evidence.kind === "prompt" ? { ...evidence, text: usersWords(evidence.text) } : evidence;

export function mergeSighting(before: Checkpoint | undefined, given: Sighting): Merged {
  const sighting = { ...given, evidence: given.evidence.map(withoutOurWords) };
  const { checkpoint: base, replaced, waits } = baseFor(before, sighting);
  // A new session without a prompt has nothing to keep, so it replaces nothing.
  const isNewSession = !before || (before.sessionId !== null && before.sessionId !== sighting.sessionId);
  if (isNewSession && sighting.evidence.every(({ kind }) => kind === "where" || kind === "finished")) {
    return { checkpoint: before ?? base, changed: false, replaced: null };
  }
  let after = base;
  if (!waits) for (const evidence of sighting.evidence) after = add(after, evidence, sighting.now);
  after = compose(after);
  const changed = JSON.stringify(after) !== JSON.stringify(before);
  if (!changed || waits) return { checkpoint: after, changed, replaced: null };
  return { checkpoint: { ...after, time: sighting.now, reason: sighting.reason }, changed, replaced };
}

/** The checkpoint that this session adds to: its own, the one it continues, or a new one. */
function baseFor(
  before: Checkpoint | undefined,
  { sessionId, directory, now, evidence, own }: Sighting,
): { checkpoint: Checkpoint; replaced: Checkpoint | null; waits: boolean } {
  const fresh = emptyCheckpoint(directory, sessionId, now);
  if (!before) return { checkpoint: fresh, replaced: null, waits: false };
  if (before.sessionId === sessionId || before.sessionId === null) {
    return { checkpoint: { ...before, sessionId }, replaced: null, waits: false };
  }
  const prompt = evidence.find((each) => each.kind === "prompt");
  if (prompt && !before.finished && isGoAhead(prompt.text)) {
    return { checkpoint: { ...before, sessionId, waiting: null }, replaced: null, waits: false };
  }
  const waited = before.waiting?.sessionId === sessionId ? before.waiting : null;
  const works = evidence.some(({ kind }) => workKinds.has(kind));
  if (works || before.finished || isThin(before)) {
    const asked = waited ? { request: waited.goal, requestAt: waited.at } : {};
    const seen: Seen = { ...(own?.seen ?? emptySeen()), turn: "working", ...asked };
    return {
      checkpoint: { ...(own ?? fresh), seen: seen.worked ? seen : promoteRequest(seen), waiting: null },
      replaced: isThin(before) ? null : { ...before, waiting: null },
      waits: false,
    };
  }
  // A question must not replace the goal that Claude worked on.
  const goal = prompt && !isNoGoal(prompt.text) ? shortenToLine(prompt.text, bounds.words) : "";
  const waiting = goal === "" ? before.waiting : { sessionId, goal, at: now };
  return { checkpoint: { ...before, waiting }, replaced: null, waits: true };
}

/** The request becomes the goal. */
function promoteRequest(seen: Seen): Seen {
  const { request, requestAt } = seen;
  if (request === null) return seen;
  const earlier =
    seen.worked && seen.goal !== null ? [seen.goal, ...seen.earlier].slice(0, bounds.earlier) : seen.earlier;
  return { ...seen, goal: request, goalAt: requestAt, earlier, worked: false, request: null, requestAt: 0 };
}

function add(before: Checkpoint, evidence: Evidence, now: number): Checkpoint {
  const checkpoint = workKinds.has(evidence.kind)
    ? { ...before, seen: { ...promoteRequest(before.seen), worked: true } }
    : before;
  const { seen, where } = checkpoint;
  const words = (text: string | null): string | null =>
    (text === null ? null : shortenToLine(text, bounds.words)) || null;
  switch (evidence.kind) {
    case "prompt": {
      const issue =
        where.issue ?? /https:\/\/[^\s<>"')]+\/issues\/\d+/.exec(evidence.text.slice(0, 10_000))?.[0] ?? null;
      const working: Checkpoint = {
        ...checkpoint,
        seen: { ...seen, turn: "working", failure: null },
        where: { ...where, issue: issue === null ? null : shortenToLine(issue, bounds.path) },
      };
      const text = words(evidence.text);
      if (text === null || isGoAhead(evidence.text) || isNoGoal(evidence.text) || text === seen.goal) return working;
      const asked = { ...working.seen, request: text, requestAt: now };
      // The old goal stays until Claude works on the new request.
      return { ...working, finished: false, seen: seen.worked ? asked : promoteRequest(asked) };
    }
    case "edit": {
      const file = shortenToLine(evidence.file, bounds.path);
      // Newest first by the first edit; a second edit of the same file changes nothing.
      if (file === "" || where.files.includes(file)) return checkpoint;
      return { ...checkpoint, where: { ...where, files: [file, ...where.files].slice(0, bounds.files) } };
    }
    case "done": {
      const text = words(evidence.text);
      if (text === null || seen.done.at(-1) === text) return checkpoint;
      return { ...checkpoint, seen: { ...seen, done: [...seen.done, text].slice(-bounds.items) } };
    }
    case "pull-request":
      return { ...checkpoint, where: { ...where, pullRequest: shortenToLine(evidence.url, bounds.path) } };
    case "tasks":
      return withTasks(checkpoint, evidence.tasks, now);
    case "task":
      return withTasks(checkpoint, changeTask(seen.tasks, evidence), now);
    case "answer": {
      const allDone = seen.tasks.length > 0 && seen.tasks.every(({ status }) => status === "completed");
      const answered = { ...seen, turn: "answered" as const, lastMessage: words(evidence.message) ?? seen.lastMessage };
      return {
        ...checkpoint,
        seen: answered,
        finished: checkpoint.finished || (allDone && checkpoint.written === null),
      };
    }
    case "failure": {
      const failure = words(evidence.message ?? evidence.error);
      return { ...checkpoint, seen: { ...seen, turn: "failed", failure } };
    }
    case "near-cap":
      return { ...checkpoint, seen: { ...seen, usage: words(evidence.text) } };
    case "finished":
      // Written words may name a next step, so only a save marks them as finished.
      return {
        ...checkpoint,
        finished: checkpoint.finished || checkpoint.written === null,
        seen: { ...seen, failure: null },
      };
    case "where": {
      const { repository, branch, commit } = evidence;
      const named = { repository: words(repository), branch: words(branch), commit };
      return { ...checkpoint, where: { ...where, ...named } };
    }
  }
}

function withTasks(checkpoint: Checkpoint, tasks: readonly Task[], now: number): Checkpoint {
  const clean = tasks
    .slice(-bounds.tasks)
    .map(({ id, subject, status }) => ({
      id: shortenToLine(id, 100),
      subject: shortenToLine(subject, bounds.words),
      status,
    }))
    .filter(({ subject }) => subject !== "");
  if (JSON.stringify(clean) === JSON.stringify(checkpoint.seen.tasks)) return checkpoint;
  const open = clean.some(({ status }) => status !== "completed");
  const finished = checkpoint.finished && !open;
  return { ...checkpoint, finished, seen: { ...checkpoint.seen, tasks: clean, tasksAt: now } };
}

function changeTask(tasks: readonly Task[], { id, subject, status }: Evidence & { kind: "task" }): Task[] {
  if (status === "deleted") return tasks.filter((task) => task.id !== id);
  const known = tasks.find((task) => task.id === id);
  if (known) return tasks.map((task) => (task === known ? { id, subject: subject ?? known.subject, status } : task));
  return subject === null ? [...tasks] : [...tasks, { id, subject, status }];
}
