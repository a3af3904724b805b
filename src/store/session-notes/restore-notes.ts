import { has, isAmount, isText, isTime } from "../../core/check-record.ts";
import type { Digest } from "../../core/restart/context-message.ts";
import { makeDirectory, removeFile, replaceFile } from "../../io/durable/durable.ts";
import type { SnapshotPaths } from "../snapshots/snapshot-paths.ts";
import { readOptionalRecord } from "../read-optional-record.ts";

/** What a restore cut off. It is needed until Claude knows it, and again when a later restore goes further back. */
export interface RestoreNote {
  readonly time: number;
  /** Size and hash of the transcript right after the restore. */
  readonly size: number;
  readonly hash: string;
  readonly digest: Digest;
  /** The restart after an automatic restore tells Claude; after a manual one, the hook does. */
  readonly told: boolean;
}

const maxNotes = 10;

/** `restored/{sessionId}.json`. Oldest first, which is also the order of their sizes. Unreadable notes count as none. */
export function readRestoreNotes(paths: SnapshotPaths, sessionId: string): RestoreNote[] {
  return readOptionalRecord<{ notes: RestoreNote[] }>(paths.restoreNotes(sessionId), isNotes)?.notes ?? [];
}

export function writeRestoreNotes(paths: SnapshotPaths, sessionId: string, notes: readonly RestoreNote[]): void {
  const path = paths.restoreNotes(sessionId);
  if (notes.length === 0) return void removeFile(path);
  makeDirectory(paths.restoreNotesDirectory);
  replaceFile(path, JSON.stringify({ version: 1, notes: notes.slice(-maxNotes) }));
}

const isOptionalText = (value: unknown): boolean => value === undefined || isText(value);
const isList = (check: (value: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(check);

const isDigest = (value: unknown): boolean =>
  has({ files: isList(isText), commands: isList(has({ command: isText, outcome: isText })) })(value) &&
  isOptionalText((value as Digest).prompt) &&
  isOptionalText((value as Digest).lastWords);

const isNote = has({
  time: isTime,
  size: isAmount,
  hash: isText,
  digest: isDigest,
  told: (value) => typeof value === "boolean",
});

const isNotes = has({ version: (value) => value === 1, notes: isList(isNote) });
