import { has, isAmount, isText, isTime, orNull } from "../../core/check-record.ts";
import { copyFile, makeDirectory, replaceFile } from "../../io/durable/durable.ts";
import { fileSize, listDirectory, readText } from "../../io/files/read-file.ts";
import { fileHash } from "../packing/file-hash.ts";
import type { SnapshotPaths } from "./snapshot-paths.ts";

/** The file at the transcript's path before one of our commands replaced it. */
export interface Backup {
  version: 1;
  number: number;
  sessionId: string;
  time: number;
  /** The command that replaced it. */
  kind: "restore" | "undo" | "repair";
  target: string;
  /** Null when there was no file: undo then removes the new one. */
  kept: { size: number; hash: string } | null;
  /** The hash of the replacement; null when the file was removed. */
  replacement: string | null;
  /** Set when the replacement is in place: before that, there is nothing to undo. */
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

/** Copies the file, then records the copy. The caller holds the lock of the session. */
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

/** For a replacement whose hash is known only after it is written, before it is put in place. */
export function markReplacement(paths: SnapshotPaths, backup: Backup, replacement: string): Backup {
  const known = { ...backup, replacement };
  writeBackup(paths, known);
  return known;
}

export function markDone(paths: SnapshotPaths, backup: Backup): void {
  writeBackup(paths, { ...backup, done: true });
}

/** A command that was killed just before it recorded its success counts as done if its replacement is in place. */
export function isUndoable({ kind, done, undone, target, replacement }: Backup): boolean {
  return kind !== "undo" && !undone && (done || (replacement !== null && fileHash(target) === replacement));
}

export function markUndone(paths: SnapshotPaths, backup: Backup): void {
  writeBackup(paths, { ...backup, undone: true });
}

/** Oldest first. A copy without a manifest was never acknowledged and is ignored. */
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

/** A manifest is valid only if it is complete: without the `kept` part, undo would remove the transcript. */
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

/** Names that start with a dot are not sessions: see `SnapshotPaths.settingsBackups`. */
export const listBackupSessions = (paths: SnapshotPaths): string[] =>
  listDirectory(paths.backups).filter((name) => !name.startsWith("."));
