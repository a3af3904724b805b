import { has, isAmount, isText, isTime, orNull } from "../core/check-record.ts";
import { copyFile, makeDirectory, replaceFile } from "../io/durable.ts";
import { fileSize, listDirectory, readText } from "../io/read-file.ts";
import { fileHash } from "./file-hash.ts";
import type { SnapshotPaths } from "./snapshot-paths.ts";

/** What was at a transcript's place before one of our commands replaced it. */
export interface Backup {
  version: 1;
  number: number;
  sessionId: string;
  time: number;
  /** The command that replaced it. */
  kind: "restore" | "undo" | "repair";
  target: string;
  /** Null when there was no file: undoing then means to take the new one away. */
  kept: { size: number; hash: string } | null;
  /** Of what takes its place; null when nothing does. */
  replacement: string | null;
  /** Set when the replacement was seen to be in place: before, there is nothing to undo. */
  done: boolean;
  undone: boolean;
}

const directoryOf = (paths: SnapshotPaths, sessionId: string): string => `${paths.backups}/${sessionId}`;
const manifestOf = (paths: SnapshotPaths, sessionId: string, number: number): string =>
  `${directoryOf(paths, sessionId)}/${number}.json`;

export const backupFile = (paths: SnapshotPaths, { sessionId, number }: Pick<Backup, "sessionId" | "number">): string =>
  `${directoryOf(paths, sessionId)}/${number}.jsonl`;

export function nextBackupNumber(paths: SnapshotPaths, sessionId: string): number {
  const numbers = listDirectory(directoryOf(paths, sessionId)).map((name) => Number.parseInt(name, 10) || 0);
  return Math.max(0, ...numbers) + 1;
}

/** Copies the file aside, and only then writes that it did. Called with the session's lock held. */
export function keepBackup(
  paths: SnapshotPaths,
  {
    sessionId,
    kind,
    target,
    replacement,
    now,
  }: Pick<Backup, "sessionId" | "kind" | "target" | "replacement"> & { now: number },
): Backup {
  makeDirectory(directoryOf(paths, sessionId));
  const number = nextBackupNumber(paths, sessionId);
  const copy = backupFile(paths, { sessionId, number });
  const exists = fileSize(target) !== undefined;
  if (exists) copyFile(target, copy);
  const hash = exists ? fileHash(copy) : undefined;
  const kept = hash === undefined ? null : { size: fileSize(copy) ?? 0, hash };
  const marks = { replacement, done: false, undone: false };
  const backup: Backup = { version: 1, number, sessionId, time: now, kind, target, kept, ...marks };
  writeBackup(paths, backup);
  return backup;
}

/** For a replacement that is known only when it is written; before it gets its place. */
export function markReplacement(paths: SnapshotPaths, backup: Backup, replacement: string): Backup {
  const known = { ...backup, replacement };
  writeBackup(paths, known);
  return known;
}

export function markDone(paths: SnapshotPaths, backup: Backup): void {
  writeBackup(paths, { ...backup, done: true });
}

/** A command that was killed just before it could say so has done it all the same, if its work is in place. */
export function isUndoable({ kind, done, undone, target, replacement }: Backup): boolean {
  return kind !== "undo" && !undone && (done || (replacement !== null && fileHash(target) === replacement));
}

export function markUndone(paths: SnapshotPaths, backup: Backup): void {
  writeBackup(paths, { ...backup, undone: true });
}

/** Oldest first. A copy without its manifest was never acknowledged and does not count. */
export function listBackups(paths: SnapshotPaths, sessionId: string): Backup[] {
  return listDirectory(directoryOf(paths, sessionId))
    .filter((name) => /^\d+\.json$/.test(name))
    .map((name) => Number.parseInt(name, 10))
    .flatMap((number) => parseBackup(readText(manifestOf(paths, sessionId, number)) ?? "", { sessionId, number }) ?? [])
    .sort((a, b) => a.number - b.number);
}

function writeBackup(paths: SnapshotPaths, backup: Backup): void {
  replaceFile(manifestOf(paths, backup.sessionId, backup.number), JSON.stringify(backup));
}

const isBackup = has({
  version: (version) => version === 1,
  number: isAmount,
  sessionId: isText,
  time: isTime,
  kind: (kind) => kind === "restore" || kind === "undo" || kind === "repair",
  target: isText,
  kept: orNull(has({ size: isAmount, hash: isText })),
  replacement: orNull(isText),
});

/** Believed whole or not at all: one that has lost what it kept would take the transcript away. */
function parseBackup(text: string, own: Pick<Backup, "sessionId" | "number">): Backup | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isBackup(value)) return undefined;
  const backup = value as Backup;
  return backup.sessionId === own.sessionId && backup.number === own.number ? backup : undefined;
}

/** What begins with a dot is no session's: see `SnapshotPaths.settingsBackups`. */
export const listBackupSessions = (paths: SnapshotPaths): string[] =>
  listDirectory(paths.backups).filter((name) => !name.startsWith("."));
