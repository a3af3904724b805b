import { type Checkpoint, leads } from "../core/checkpoint.ts";
import { checkpointToJson, parseCheckpoint } from "../core/checkpoint-form.ts";
import { checkpointMarkdown } from "../core/checkpoint-text.ts";
import { makeDirectory, moveFile, removeFile, replaceFile } from "../io/durable.ts";
import { listDirectory, parentOf } from "../io/read-file.ts";
import { NotOurs, readOwnText, requireOwnDirectory } from "../io/read-own-file.ts";
import { sweepBeside } from "../io/sweep-beside.ts";

/** Where one directory's checkpoint lies, and where the newest of all does. The caller holds the lock when it writes. */
export interface CheckpointPlaces {
  /** `<claude config>/projects/<slug>/memory` */
  memory: string;
  /** `<claude config>/checkpoints` */
  shared: string;
}

const pastKept = 50;
const latest = (shared: string): string => `${shared}/latest.json`;
const past = (shared: string): string => `${shared}/past`;

/** Undefined when there is none. One of a newer version is not read, and must not be written over: that throws. */
export function loadCheckpoint({ memory }: CheckpointPlaces): Checkpoint | undefined {
  requireOwnDirectory(parentOf(memory));
  requireOwnDirectory(memory);
  return read(`${memory}/checkpoint.json`);
}

export function loadLatest(shared: string): Checkpoint | undefined {
  requireOwnDirectory(shared);
  return read(latest(shared));
}

/** Both places; each file is whole at every moment, and the order makes the directory's own the one that leads. */
export function saveCheckpoint(places: CheckpointPlaces, checkpoint: Checkpoint, replaced: Checkpoint | null): void {
  const { memory, shared } = places;
  // Under the session's name only while another has its place: from there it comes back with that session's next step.
  if (replaced) {
    const isOwn = replaced.sessionId === checkpoint.sessionId;
    keepPast(shared, replaced, isOwn ? savedName(replaced) : pastName(replaced));
  }
  requireOwnDirectory(parentOf(memory));
  requireOwnDirectory(memory);
  makeDirectory(memory, { shared: true });
  sweepLeftovers(places, checkpoint.time);
  write(`${memory}/checkpoint.json`, json(checkpoint));
  write(`${memory}/checkpoint.md`, checkpointMarkdown(checkpoint));
  requireOwnDirectory(shared);
  makeDirectory(shared);
  const newest = loadOrNothing(() => loadLatest(shared));
  if (newest && !leads(checkpoint, newest)) return;
  write(latest(shared), json(checkpoint));
}

/** What a kill left; the lock is held, so that nobody else is writing here. */
function sweepLeftovers({ memory, shared }: CheckpointPlaces, now: number): void {
  for (const path of [`${memory}/checkpoint.json`, latest(shared), `${past(shared)}/any`]) sweepBeside(path, now);
}

/** Whether a save was killed between its two places: then the newest of all is older than this. */
export function isUnfinishedSave({ shared }: CheckpointPlaces, checkpoint: Checkpoint): boolean {
  const newest = loadOrNothing(() => loadLatest(shared));
  return newest === undefined || (newest.time < checkpoint.time && leads(checkpoint, newest));
}

/**
 * Removes a directory's checkpoint from both places, keeping it among the past ones. Returns whether there was one. The place that
 * leads goes last: until then, whoever is interrupted finds it still there, and a second attempt does all of it.
 */
export function clearCheckpoint(
  { memory, shared }: CheckpointPlaces,
  { directory, now, listAll }: { directory: string; now: number; listAll: () => Checkpoint[] },
): boolean {
  sweepLeftovers({ memory, shared }, now);
  const present = loadOrNothing(() => loadCheckpoint({ memory, shared }));
  // Not under the session's name, from which it would come back with that session's next step.
  if (present) keepPast(shared, present, `cleared-${stamped(present)}.json`);
  const cleared = present?.where.directory ?? directory;
  const isNewest = loadOrNothing(() => loadLatest(shared))?.where.directory === cleared;
  if (isNewest) {
    const others = listAll().filter(({ where }) => where.directory !== cleared);
    const next = others.reduce<Checkpoint | undefined>((a, b) => (a === undefined || leads(b, a) ? b : a), undefined);
    if (next) write(latest(shared), json(next));
    else removeFile(latest(shared));
  }
  removeFile(`${memory}/checkpoint.md`);
  return removeFile(`${memory}/checkpoint.json`) || isNewest;
}

/** The present ones of every directory, in no order. */
export function listCheckpoints(projects: string): Checkpoint[] {
  return listDirectory(projects).flatMap((name) => {
    const memory = `${projects}/${name}/memory`;
    const found = loadOrNothing(() => loadCheckpoint({ memory, shared: "" }));
    return found ? [found] : [];
  });
}

/** Those whose place another one took, or that were cleared. */
export function listPastCheckpoints(shared: string): Checkpoint[] {
  return pastNames(shared).flatMap((name) => loadOrNothing(() => read(`${past(shared)}/${name}`)) ?? []);
}

/** What a session had before another one took its place. */
export function loadPastOf(shared: string, sessionId: string, directory: string): Checkpoint | undefined {
  const found = loadOrNothing(() => read(`${past(shared)}/${sessionName(sessionId)}`));
  return found?.sessionId === sessionId && found.where.directory === directory ? found : undefined;
}

/** One for each session: two at work in one directory take each other's place again and again. */
function keepPast(shared: string, checkpoint: Checkpoint, name: string): void {
  makeDirectory(shared);
  makeDirectory(past(shared));
  replaceFile(`${past(shared)}/${name}`, json(checkpoint));
  const names = pastNames(shared);
  if (names.length <= pastKept) return;
  const times = names.map((each) => ({ each, time: loadOrNothing(() => read(`${past(shared)}/${each}`))?.time ?? 0 }));
  times.sort((left, right) => right.time - left.time);
  for (const { each } of times.slice(pastKept)) removeFile(`${past(shared)}/${each}`);
}

const stamped = ({ time }: Checkpoint): string => new Date(time).toISOString().replaceAll(":", "-");

const savedName = (checkpoint: Checkpoint): string => `saved-${stamped(checkpoint)}.json`;

const pastName = (checkpoint: Checkpoint): string =>
  checkpoint.sessionId === null ? savedName(checkpoint) : sessionName(checkpoint.sessionId);

const sessionName = (sessionId: string): string => `${sessionId.replace(/[^\w-]/g, "")}.json`;

const pastNames = (shared: string): string[] =>
  listDirectory(past(shared)).filter((name) => /^[\w-][^/]*\.json$/.test(name));

function read(path: string): Checkpoint | undefined {
  const text = readOwnText(path);
  if (text === undefined) return undefined;
  const parsed = parseCheckpoint(text);
  if (parsed.kind === "checkpoint") return parsed.checkpoint;
  if (parsed.kind === "newer") throw new NotOurs(path, "was written by a newer version");
  return undefined;
}

function write(path: string, text: string): void {
  const present = loadOrNothing(() => readOwnText(path));
  // What cannot be read is kept beside: somebody may have edited it.
  if (present !== undefined && path.endsWith(".json") && parseCheckpoint(present).kind === "unreadable") {
    moveFile(path, `${path}.broken`, { overwrite: true });
  }
  replaceFile(path, text);
}

/** For looking around: what is not ours is not there. */
function loadOrNothing<T>(load: () => T | undefined): T | undefined {
  try {
    return load();
  } catch (error) {
    if (error instanceof NotOurs) return undefined;
    throw error;
  }
}

const json = (checkpoint: Checkpoint): string => `${JSON.stringify(checkpointToJson(checkpoint), null, 2)}\n`;
