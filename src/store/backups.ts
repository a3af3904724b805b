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
  { sessionId, kind, target, now }: { sessionId: string; kind: Backup["kind"]; target: string; now: number },
): Backup {
  makeDirectory(directoryOf(paths, sessionId));
  const number = nextBackupNumber(paths, sessionId);
  const copy = backupFile(paths, { sessionId, number });
  const exists = fileSize(target) !== undefined;
  if (exists) copyFile(target, copy);
  const hash = exists ? fileHash(copy) : undefined;
  const kept = hash === undefined ? null : { size: fileSize(copy) ?? 0, hash };
  const backup: Backup = { version: 1, number, sessionId, time: now, kind, target, kept, undone: false };
  writeBackup(paths, backup);
  return backup;
}

export function markUndone(paths: SnapshotPaths, backup: Backup): void {
  writeBackup(paths, { ...backup, undone: true });
}

/** Oldest first. A copy without its manifest was never acknowledged and does not count. */
export function listBackups(paths: SnapshotPaths, sessionId: string): Backup[] {
  return listDirectory(directoryOf(paths, sessionId))
    .filter((name) => /^\d+\.json$/.test(name))
    .map((name) => parseBackup(readText(`${directoryOf(paths, sessionId)}/${name}`) ?? ""))
    .filter((backup) => backup !== undefined)
    .sort((a, b) => a.number - b.number);
}

function writeBackup(paths: SnapshotPaths, backup: Backup): void {
  replaceFile(manifestOf(paths, backup.sessionId, backup.number), JSON.stringify(backup));
}

function parseBackup(text: string): Backup | undefined {
  try {
    const value = JSON.parse(text) as Backup | null;
    return value?.version === 1 && typeof value.target === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

export const listBackupSessions = (paths: SnapshotPaths): string[] => listDirectory(paths.backups);
