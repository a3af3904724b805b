import { sessionOfFile } from "../../claude/paths.ts";
import { Failure } from "../../core/failure.ts";
import { removeFile } from "../../io/durable/durable.ts";
import { sweepBeside } from "../../io/durable/sweep-beside.ts";
import { fileSize, isDirectory, parentOf } from "../../io/files/read-file.ts";
import {
  type Backup,
  backupFile,
  isUndoable,
  keepBackup,
  listBackups,
  markUndone,
} from "../../store/snapshots/backups.ts";
import { fileHash } from "../../store/packing/file-hash.ts";
import { allMarks, hasSnapshot, viewSession } from "../../store/snapshots/session-view.ts";
import type { Environment } from "../environment.ts";
import { locateTranscript } from "../session/locate-transcript.ts";
import { putInPlace, verifyWritten } from "./restore.ts";
import { dropNotesSince } from "./restore-note.ts";
import { refuseWhileHeld, withSession } from "../session/session-guard.ts";
import { catchUp, snapshotReplaced } from "./take-snapshot.ts";

export interface UndoResult {
  undone: Backup;
  /** Backup of what the undo itself replaced. */
  kept: Backup;
  /** Path of that backup. */
  keptIn: string;
  /** The number of the mark with exactly what the undo replaced; null when there is none. */
  wayBack: number | null;
}

/**
 * Restores, byte for byte, what the last restore or repair of a session replaced. Refuses when the transcript has changed
 * since, because newer turns would leave the conversation; `force` also permits that.
 */
export function undoRestore(environment: Environment, sessionId: string, force: boolean): Promise<UndoResult> {
  const { paths, now } = environment;
  return withSession(environment, sessionId, () => {
    const last = listBackups(paths, sessionId)
      .map((backup) => ({ ...backup, target: presentPlace(environment, backup) }))
      .findLast(isUndoable);
    if (!last) throw new Failure("not-found", `nothing to undo for session ${sessionId}`);
    if (!force) refuseWhileHeld(environment, sessionId);
    const { target, kept: content } = last;
    const source = backupFile(paths, last);
    refuseLostDirectory(last, source);
    if (content && fileHash(source) !== content.hash) {
      throw new Failure("corrupt", `the backup ${source} has changed since it was made; nothing was changed`);
    }
    if (!force) refuseNewerTurns(environment, last);
    // A repaired file need not belong to a session; such a file has no snapshots.
    const isKnown = hasSnapshot(paths, sessionId);
    if (isKnown) catchUp(environment, sessionId, "before-undo");
    sweepBeside(target, now());
    const replacement = content?.hash ?? null;
    const kept = keepBackup(paths, { sessionId, kind: "undo", target, replacement, now: now() });
    if (content) {
      putInPlace(source, content.size, target, { hash: content.hash });
      verifyWritten(target, content.hash, backupFile(paths, kept));
    } else {
      removeFile(target);
    }
    markUndone(paths, last);
    dropNotesSince(environment, sessionId, last.time);
    if (isKnown) snapshotReplaced(environment, sessionId, target, "undo");
    const wayBack = findMark(environment, sessionId, kept.kept?.hash)?.n ?? null;
    return { undone: last, kept, keptIn: backupFile(paths, kept), wayBack };
  });
}

/** Claude's directory may have moved since the backup was made. A file outside of it stays where it is. */
function presentPlace(environment: Environment, { sessionId, target }: Backup): string {
  return belongsToSession(target, sessionId) ? (locateTranscript(environment, sessionId, target) ?? target) : target;
}

const belongsToSession = (target: string, sessionId: string): boolean =>
  sessionOfFile(target.split(/[\\/]/).at(-1) ?? "") === sessionId;

function refuseLostDirectory({ sessionId, target }: Backup, source: string): void {
  if (belongsToSession(target, sessionId) || isDirectory(parentOf(target))) return;
  throw new Failure("not-found", `the directory of ${target} no longer exists; nothing was changed`, {
    hint: `The replaced content is in ${source}.`,
  });
}

function refuseNewerTurns(environment: Environment, { sessionId, kind, target, kept, replacement }: Backup): void {
  const present = fileHash(target);
  // A killed undo may have put the file in place already.
  if (present === undefined || present === replacement || present === kept?.hash) return;
  const mark = findMark(environment, sessionId, replacement);
  const grown = mark && fileHash(target, mark.size) === mark.hash ? (fileSize(target) ?? 0) - mark.size : 0;
  const change = grown > 0 ? `has grown by ${grown} bytes` : "has changed";
  throw new Failure(
    "failed",
    `${target} ${change} since the ${kind}, and an undo would take those turns out of it; nothing was changed`,
    {
      hint: `To undo the ${kind} anyway: session-snapshot undo ${sessionId} --force. It keeps the newer turns, and prints the command that brings them back.`,
    },
  );
}

function findMark({ paths }: Environment, sessionId: string, hash: string | null | undefined) {
  const view = hash ? viewSession(paths, sessionId) : undefined;
  return view && allMarks(view).findLast((mark) => mark.hash === hash);
}
