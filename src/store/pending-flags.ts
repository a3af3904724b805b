import { type Check, has, isProcessMark, isText, isTexts, isTime, orNull } from "../core/check-record.ts";
import { makeDirectory, removeFile, replaceFile } from "../io/durable.ts";
import { identifyProcess, isSameProcess, type ProcessIdentity } from "../io/process.ts";
import { readText } from "../io/read-file.ts";
import { withLock } from "./lock.ts";
import type { SnapshotPaths } from "./snapshot-paths.ts";

/**
 * One line of `pending-flags.txt`: what a running cclaude would start claude with again. Written when claude has started and
 * when its session is known, removed when that cclaude ends. What is left of one that is dead shows how to go on by hand.
 */
export interface PendingFlags {
  version: 1;
  process: ProcessIdentity;
  /** Milliseconds since 1970. */
  started: number;
  cwd: string;
  /** Exactly as given, without what chooses a session or carries a prompt. */
  flags: string[];
  sessionId: string | null;
}

const most = 50;
const longest = 30 * 86_400_000;
const patience = 2_000;

export function writePendingFlags(paths: SnapshotPaths, record: PendingFlags): Promise<void> {
  return change(
    paths,
    (others) => {
      const fresh = others.filter(({ started }) => record.started - started < longest);
      return [...fresh.slice(1 - most), record];
    },
    record.process,
  );
}

export function removePendingFlags(paths: SnapshotPaths, own: ProcessIdentity): Promise<void> {
  return change(paths, (others) => others, own);
}

/** Those whose cclaude is gone without having removed them. */
export function readAbandonedFlags(paths: SnapshotPaths): PendingFlags[] {
  return readAll(paths).filter(({ process }) => !isSameProcess(process));
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
    { waitMilliseconds: patience },
  );
}

const isPendingFlags = has({
  version: (value) => value === 1,
  process: isProcessMark,
  started: isTime,
  cwd: isText,
  flags: isTexts,
  sessionId: orNull(isText),
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
