import { digestLines, joinDigests } from "../../claude/transcript/digest.ts";
import { measureWork } from "../../claude/transcript/work-after.ts";
import { readEnding } from "../../claude/transcript/transcript-ending.ts";
import { contextMessage, type Digest } from "../../core/restart/context-message.ts";
import type { LostWork } from "../../core/restart/lost-work.ts";
import { fileSize, lastLineEnd, withFile } from "../../io/files/read-file.ts";
import { linesBackwards } from "../../io/files/read-lines-backwards.ts";
import { fileHash } from "../../store/packing/file-hash.ts";
import { readRestoreNotes, type RestoreNote, writeRestoreNotes } from "../../store/session-notes/restore-notes.ts";
import type { Environment } from "../environment.ts";
import { currentClock } from "../session/transcript-end.ts";

// Claude does not see what a restore cut off. A note keeps a digest of it until Claude knows it.

/**
 * Summarizes what `path` has after its first `size` bytes. A conversation that was restored before lacks what that restore cut
 * off; its note fills the gap.
 */
export function digestCut(environment: Environment, sessionId: string, path: string, size: number): Digest | undefined {
  const inside = readRestoreNotes(environment.paths, sessionId)
    .filter((note) => note.size > size && isIn(note, path))
    .sort((one, other) => one.size - other.size);
  let from = size;
  let digest = noWork;
  for (const note of inside) {
    digest = joinDigests(joinDigests(digest, digestRange(path, from, note.size)), note.digest);
    from = note.size;
  }
  digest = joinDigests(digest, digestRange(path, from, undefined));
  return isEmpty(digest) ? undefined : digest;
}

/** How much `path` has after its first `size` bytes. */
export const measureCut = (path: string, size: number): ReturnType<typeof measureWork> =>
  withFile(path, (file) => measureWork([...linesAfter(file.fd, size, file.size)].toReversed())) ?? measureWork([]);

/** Adds a note before the restore replaces the transcript, so that a kill in between loses no note. */
export function addRestoreNote({ paths }: Environment, sessionId: string, note: RestoreNote): void {
  writeRestoreNotes(paths, sessionId, [...readRestoreNotes(paths, sessionId), note]);
}

/** Removes the notes that do not belong to this transcript: it was restored to an earlier point, or replaced. */
export function dropStrayNotes({ paths }: Environment, sessionId: string, path: string): void {
  const notes = readRestoreNotes(paths, sessionId);
  const kept = notes.filter((note) => isIn(note, path));
  if (kept.length < notes.length) writeRestoreNotes(paths, sessionId, kept);
}

/** An undo brings back what the restore cut off. `time`: when that restore began. */
export function dropNotesSince({ paths }: Environment, sessionId: string, time: number): void {
  const notes = readRestoreNotes(paths, sessionId);
  const kept = notes.filter((note) => note.time < time);
  if (kept.length < notes.length) writeRestoreNotes(paths, sessionId, kept);
}

/**
 * What Claude must learn when this session is resumed; undefined when nothing was cut off, or Claude has answered since.
 */
export function messageAboutRestore(
  environment: Environment,
  { sessionId, path, lost }: { readonly sessionId: string; readonly path: string; readonly lost: LostWork },
): string | undefined {
  const note = readRestoreNotes(environment.paths, sessionId).findLast(
    (each) => !each.told && isIn(each, path) && !isAnswered(environment, each, path),
  );
  return note && contextMessage("restored", note.digest, undefined, lost);
}

const isIn = ({ size, hash }: RestoreNote, path: string): boolean =>
  (fileSize(path) ?? 0) >= size && fileHash(path, size) === hash;

const isAnswered = (environment: Environment, { size }: RestoreNote, path: string): boolean =>
  withFile(path, (file) => readEnding(linesAfter(file.fd, size, file.size), 0, currentClock(environment)).answered) ??
  false;

const noWork: Digest = { prompt: undefined, files: [], commands: [], lastWords: undefined };

const isEmpty = ({ prompt, files, commands, lastWords }: Digest): boolean =>
  prompt === undefined && lastWords === undefined && files.length + commands.length === 0;

const digestRange = (path: string, from: number, to: number | undefined): Digest =>
  withFile(path, ({ fd, size }) => digestLines([...linesAfter(fd, from, to ?? size)].toReversed())) ?? noWork;

/** The complete lines in [from, to), newest first. */
function* linesAfter(fd: number, from: number, to: number): Generator<string> {
  const end = lastLineEnd(fd, from, to);
  let left = end - from;
  for (const line of linesBackwards(fd, end)) {
    left -= Buffer.byteLength(line) + 1;
    if (left < 0) return;
    yield line;
  }
}
