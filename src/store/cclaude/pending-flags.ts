import { type Check, has, isProcessMark, isText, isTexts, isTime, orNull } from "../../core/check-record.ts";
import { makeDirectory, removeFile, replaceFile } from "../../io/durable/durable.ts";
import { identifyProcess, isSameProcess, type ProcessIdentity } from "../../io/process/process.ts";
import { readText } from "../../io/files/read-file.ts";
import { withLock } from "../lock.ts";
import type { SnapshotPaths } from "../snapshots/snapshot-paths.ts";

/**
 * One line of `pending-flags.txt`: the flags with which a running cclaude would restart claude. cclaude writes it when
 * claude starts and when the session is known, and removes it at its end. The line of a dead cclaude shows how to resume.
 */
export interface PendingFlags {
  version: 1;
  process: ProcessIdentity;
  /** Milliseconds since 1970. */
  started: number;
  cwd: string;
  /** Exactly as given, without the prompt and the flags that choose a session. */
  flags: string[];
  sessionId: string | null;
  /** The directory where the hooks of its claude report their session; absent in older records. */
  events?: string | undefined;
}

const maxRecords = 50;
const maxAgeMs = 30 * 86_400_000;
const lockTimeoutMs = 2_000;

export function writePendingFlags(paths: SnapshotPaths, record: PendingFlags): Promise<void> {
  return change(
    paths,
    (others) => {
      const fresh = others.filter(({ started }) => record.started - started < maxAgeMs);
      return [...fresh.slice(1 - maxRecords), record];
    },
    record.process,
  );
}

export function removePendingFlags(paths: SnapshotPaths, own: ProcessIdentity): Promise<void> {
  return change(paths, (others) => others, own);
}

/** The records of cclaudes that died without removing them. */
export function readAbandonedFlags(paths: SnapshotPaths): PendingFlags[] {
  return readAll(paths).filter(({ process }) => !isSameProcess(process));
}

/** The records of running cclaudes. */
export function readLiveFlags(paths: SnapshotPaths): PendingFlags[] {
  return readAll(paths).filter(({ process }) => isSameProcess(process));
}

async function change(
  paths: SnapshotPaths,
  edit: (others: PendingFlags[]) => PendingFlags[],
  own: ProcessIdentity,
): Promise<void> {
  makeDirectory(paths.locks);
  await withLock(
    `${paths.locks}/pending-flags.lock`,
    () => {
      const next = edit(readAll(paths).filter(({ process }) => !isSame(process, own)));
      if (next.length === 0) removeFile(paths.pendingFlags);
      else replaceFile(paths.pendingFlags, next.map((record) => `${JSON.stringify(record)}\n`).join(""));
    },
    { waitMilliseconds: lockTimeoutMs },
  );
}

const isPendingFlags = has({
  version: (value) => value === 1,
  process: isProcessMark,
  started: isTime,
  cwd: isText,
  flags: isTexts,
  sessionId: orNull(isText),
  events: (value) => value === undefined || isText(value),
} satisfies Record<keyof PendingFlags, Check>);

function readAll(paths: SnapshotPaths): PendingFlags[] {
  return (readText(paths.pendingFlags) ?? "").split("\n").flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isPendingFlags(value) ? [value as PendingFlags] : [];
    } catch {
      return [];
    }
  });
}

const isSame = (one: ProcessIdentity, other: ProcessIdentity): boolean =>
  one.pid === other.pid && one.startTime === other.startTime && one.bootId === other.bootId;

export const ownIdentity = (): ProcessIdentity | undefined => identifyProcess(process.pid);
