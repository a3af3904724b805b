import { type Checkpoint, leads } from "../../core/checkpoint/checkpoint.ts";
import { checkpointToJson, parseCheckpoint } from "../../core/checkpoint/checkpoint-form.ts";
import { checkpointMarkdown } from "../../core/checkpoint/checkpoint-text.ts";
import { makeDirectory, moveFile, removeFile, replaceFile } from "../../io/durable/durable.ts";
import { listDirectory, parentOf } from "../../io/files/read-file.ts";
import { NotOurs, readOwnText, requireOwnDirectory } from "../../io/files/read-own-file.ts";
import { sweepBeside } from "../../io/durable/sweep-beside.ts";

/** The paths of the checkpoint of one directory, and of the newest of all. To write, the caller must hold the lock. */
export interface CheckpointPlaces {
  /** `<claude config>/projects/<slug>/memory` */
  memory: string;
  /** `<claude config>/checkpoints` */
  shared: string;
}

const maxPastCheckpoints = 50;
const latest = (shared: string): string => `${shared}/latest.json`;
const past = (shared: string): string => `${shared}/past`;

/** Undefined when there is none. Throws for a newer version, because it cannot be read and must not be overwritten. */
export function loadCheckpoint({ memory }: CheckpointPlaces): Checkpoint | undefined {
  requireOwnDirectory(parentOf(memory));
  requireOwnDirectory(memory);
  return read(`${memory}/checkpoint.json`);
}

export function loadLatest(shared: string): Checkpoint | undefined {
  requireOwnDirectory(shared);
  return read(latest(shared));
}

/** Writes both files; each is complete at every moment, and the file of the directory is written first because it decides. */
export function saveCheckpoint(places: CheckpointPlaces, checkpoint: Checkpoint, replaced: Checkpoint | null): void {
  const { memory, shared } = places;
  // Kept under the session's name only while another session has replaced it: its next step then restores it.
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

/** Removes what a kill left; the lock is held, so no other process writes here. */
function sweepLeftovers({ memory, shared }: CheckpointPlaces, now: number): void {
  for (const path of [`${memory}/checkpoint.json`, latest(shared), `${past(shared)}/any`]) sweepBeside(path, now);
}

/** Whether a save was killed between its two files: then the newest of all is older than this one. */
export function isUnfinishedSave({ shared }: CheckpointPlaces, checkpoint: Checkpoint): boolean {
  const newest = loadOrNothing(() => loadLatest(shared));
  return newest === undefined || (newest.time < checkpoint.time && leads(checkpoint, newest));
}

/**
 * Removes the checkpoint of a directory from both places, and keeps it among the past ones. Returns whether there was one. The
 * deciding file is removed last: after an interruption it still exists, and a second attempt completes the removal.
 */
export function clearCheckpoint(
  { memory, shared }: CheckpointPlaces,
  { directory, now, listAll }: { directory: string; now: number; listAll: () => Checkpoint[] },
): boolean {
  sweepLeftovers({ memory, shared }, now);
  const present = loadOrNothing(() => loadCheckpoint({ memory, shared }));
  // Not under the session's name, from which the session's next step would restore it.
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

/** The current ones of every directory, in no order. */
export function listCheckpoints(projects: string): Checkpoint[] {
  return listDirectory(projects).flatMap((name) => {
    const memory = `${projects}/${name}/memory`;
    const found = loadOrNothing(() => loadCheckpoint({ memory, shared: "" }));
    return found ? [found] : [];
  });
}

/** Replaced or cleared checkpoints. */
export function listPastCheckpoints(shared: string): Checkpoint[] {
  return pastNames(shared).flatMap((name) => loadOrNothing(() => read(`${past(shared)}/${name}`)) ?? []);
}

/** What a session had before another one replaced it. */
export function loadPastOf(shared: string, sessionId: string, directory: string): Checkpoint | undefined {
  const found = loadOrNothing(() => read(`${past(shared)}/${sessionName(sessionId)}`));
  return found?.sessionId === sessionId && found.where.directory === directory ? found : undefined;
}

/** One per session: two sessions in one directory replace each other's checkpoint again and again. */
function keepPast(shared: string, checkpoint: Checkpoint, name: string): void {
  makeDirectory(shared);
  makeDirectory(past(shared));
  replaceFile(`${past(shared)}/${name}`, json(checkpoint));
  const names = pastNames(shared);
  if (names.length <= maxPastCheckpoints) return;
  const times = names.map((each) => ({ each, time: loadOrNothing(() => read(`${past(shared)}/${each}`))?.time ?? 0 }));
  times.sort((left, right) => right.time - left.time);
  for (const { each } of times.slice(maxPastCheckpoints)) removeFile(`${past(shared)}/${each}`);
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
  // An unreadable file is kept next to it: the user may have edited it.
  if (present !== undefined && path.endsWith(".json") && parseCheckpoint(present).kind === "unreadable") {
    moveFile(path, `${path}.broken`, { overwrite: true });
  }
  replaceFile(path, text);
}

/** For listings: skips files that are not ours. */
function loadOrNothing<T>(load: () => T | undefined): T | undefined {
  try {
    return load();
  } catch (error) {
    if (error instanceof NotOurs) return undefined;
    throw error;
  }
}

const json = (checkpoint: Checkpoint): string => `${JSON.stringify(checkpointToJson(checkpoint), null, 2)}\n`;
