import {
  type Checkpoint,
  compose,
  emptyCheckpoint,
  emptySeen,
  isThin,
  most,
  type Seen,
  type Task,
} from "./checkpoint.ts";
import { isContextMessage, usersWords } from "./context-message.ts";
import { oneLine } from "./one-line.ts";

/** What a hook, the status line or the stream tells. */
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
  /** A run has recorded its task as done. */
  | { kind: "finished" };

export interface Sighting {
  sessionId: string;
  directory: string;
  /** The hook's event, or what else saw it. */
  reason: string;
  now: number;
  evidence: Evidence[];
  /** What this session had here before another took its place. */
  own?: Checkpoint | undefined;
}

export interface Merged {
  checkpoint: Checkpoint;
  /** Whether anything but the time would change: otherwise nothing needs to be written. */
  changed: boolean;
  /** Another session's, that this one takes the place of. */
  replaced: Checkpoint | null;
}

/** Work, as opposed to talk: it makes a waiting session the one that counts. */
const work = new Set<Evidence["kind"]>(["edit", "done", "pull-request", "tasks", "task", "near-cap"]);

/** A prompt that only says to go on with what is there. */
function isGoAhead(text: string): boolean {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/[.!,]+/g, "");
  return /^(y|yes|yep|yeah|ok|okay|sure|please|thanks?|thank you|continue|go on|go ahead|proceed|resume|next|do it|ja|weiter|mach weiter|carry on|keep going|yes please|yes continue|please continue)$/.test(
    plain,
  );
}

/** Nobody's goal: a command, a note of the client's own, or what we tell Claude when its work goes on. */
const isNoGoal = (text: string): boolean => /^\s*[/!<]/.test(text) || isContextMessage(text);

const withoutOurWords = (evidence: Evidence): Evidence =>
  evidence.kind === "prompt" ? { ...evidence, text: usersWords(evidence.text) } : evidence;

export function mergeSighting(before: Checkpoint | undefined, given: Sighting): Merged {
  const sighting = { ...given, evidence: given.evidence.map(withoutOurWords) };
  const { checkpoint: base, replaced, waits } = baseFor(before, sighting);
  // Where nobody has asked for anything yet, a look at the branch or an end is nothing to keep, and takes nobody's place.
  const isStranger = !before || (before.sessionId !== null && before.sessionId !== sighting.sessionId);
  if (isStranger && sighting.evidence.every(({ kind }) => kind === "where" || kind === "finished")) {
    return { checkpoint: before ?? base, changed: false, replaced: null };
  }
  let after = base;
  if (!waits) for (const evidence of sighting.evidence) after = add(after, evidence, sighting.now);
  after = compose(after);
  const changed = JSON.stringify(after) !== JSON.stringify(before);
  if (!changed || waits) return { checkpoint: after, changed, replaced: null };
  return { checkpoint: { ...after, time: sighting.now, reason: sighting.reason }, changed, replaced };
}

/** Which checkpoint this session adds to: its own, the one it goes on with, or a new one. */
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
  const works = evidence.some(({ kind }) => work.has(kind));
  if (works || before.finished || isThin(before)) {
    const asked = waited ? { request: waited.goal, requestAt: waited.at } : {};
    const seen: Seen = { ...(own?.seen ?? emptySeen()), turn: "working", ...asked };
    return {
      checkpoint: { ...(own ?? fresh), seen: seen.worked ? seen : takeUp(seen), waiting: null },
      replaced: isThin(before) ? null : { ...before, waiting: null },
      waits: false,
    };
  }
  // A question asked in between must not push out what was really worked on.
  const goal = prompt && !isNoGoal(prompt.text) ? oneLine(prompt.text, most.words) : "";
  const waiting = goal === "" ? before.waiting : { sessionId, goal, at: now };
  return { checkpoint: { ...before, waiting }, replaced: null, waits: true };
}

/** The request becomes the goal. */
function takeUp(seen: Seen): Seen {
  const { request, requestAt } = seen;
  if (request === null) return seen;
  const earlier =
    seen.worked && seen.goal !== null ? [seen.goal, ...seen.earlier].slice(0, most.earlier) : seen.earlier;
  return { ...seen, goal: request, goalAt: requestAt, earlier, worked: false, request: null, requestAt: 0 };
}

function add(before: Checkpoint, evidence: Evidence, now: number): Checkpoint {
  const checkpoint = work.has(evidence.kind) ? { ...before, seen: { ...takeUp(before.seen), worked: true } } : before;
  const { seen, where } = checkpoint;
  const words = (text: string | null): string | null => (text === null ? null : oneLine(text, most.words)) || null;
  switch (evidence.kind) {
    case "prompt": {
      const issue =
        where.issue ?? /https:\/\/[^\s<>"')]+\/issues\/\d+/.exec(evidence.text.slice(0, 10_000))?.[0] ?? null;
      const working: Checkpoint = {
        ...checkpoint,
        seen: { ...seen, turn: "working", failure: null },
        where: { ...where, issue: issue === null ? null : oneLine(issue, most.path) },
      };
      const text = words(evidence.text);
      if (text === null || isGoAhead(evidence.text) || isNoGoal(evidence.text) || text === seen.goal) return working;
      const asked = { ...working.seen, request: text, requestAt: now };
      // What was worked on stays the goal until something is done for the new request.
      return { ...working, finished: false, seen: seen.worked ? asked : takeUp(asked) };
    }
    case "edit": {
      const file = oneLine(evidence.file, most.path);
      // In the order in which they were first touched, the newest first: touching one again is nothing new.
      if (file === "" || where.files.includes(file)) return checkpoint;
      return { ...checkpoint, where: { ...where, files: [file, ...where.files].slice(0, most.files) } };
    }
    case "done": {
      const text = words(evidence.text);
      if (text === null || seen.done.at(-1) === text) return checkpoint;
      return { ...checkpoint, seen: { ...seen, done: [...seen.done, text].slice(-most.items) } };
    }
    case "pull-request":
      return { ...checkpoint, where: { ...where, pullRequest: oneLine(evidence.url, most.path) } };
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
      // Whoever wrote a next step on purpose meant that there is one.
      return { ...checkpoint, finished: checkpoint.finished || checkpoint.written === null };
    case "where": {
      const { repository, branch, commit } = evidence;
      const named = { repository: words(repository), branch: words(branch), commit };
      return { ...checkpoint, where: { ...where, ...named } };
    }
  }
}

function withTasks(checkpoint: Checkpoint, tasks: readonly Task[], now: number): Checkpoint {
  const clean = tasks
    .slice(-most.tasks)
    .map(({ id, subject, status }) => ({ id: oneLine(id, 100), subject: oneLine(subject, most.words), status }))
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
