import { Failure } from "../core/failure.ts";
import { removeFile } from "../io/durable.ts";
import { sweepBeside } from "../io/sweep-beside.ts";
import { type Backup, backupFile, isUndoable, keepBackup, listBackups, markUndone } from "../store/backups.ts";
import { fileHash } from "../store/file-hash.ts";
import { viewSession } from "../store/session-view.ts";
import type { Environment } from "./environment.ts";
import { putInPlace, verifyWritten } from "./restore.ts";
import { refuseWhileLive, withSession } from "./session-guard.ts";
import { catchUp, startOver } from "./snapshot.ts";

export interface UndoResult {
  undone: Backup;
  /** What the undo replaced in its turn. */
  kept: Backup;
  /** The file that holds it. */
  keptIn: string;
}

/** Brings back, byte for byte, what the last restore or repair of a session replaced. */
export function undoRestore(environment: Environment, sessionId: string, force: boolean): Promise<UndoResult> {
  const { paths, now } = environment;
  return withSession(environment, sessionId, () => {
    const last = listBackups(paths, sessionId).findLast(isUndoable);
    if (!last) throw new Failure("not-found", `there is nothing to undo for session ${sessionId}`);
    if (!force) refuseWhileLive(environment, sessionId);
    const { target, kept: content } = last;
    const source = backupFile(paths, last);
    if (content && fileHash(source) !== content.hash) {
      throw new Failure("corrupt", `the kept transcript ${source} is not what it was; nothing was changed`);
    }
    // A file that is no session's can be repaired too, and has no snapshots.
    const isKnown = viewSession(paths, sessionId) !== "none";
    if (isKnown) catchUp(environment, sessionId, "before-undo");
    sweepBeside(target, now());
    const replacement = content?.hash ?? null;
    const kept = keepBackup(paths, { sessionId, kind: "undo", target, replacement, now: now() });
    if (content) {
      putInPlace(source, content.size, target);
      verifyWritten(target, content.hash, backupFile(paths, kept));
    } else {
      removeFile(target);
    }
    markUndone(paths, last);
    if (isKnown) startOver(environment, sessionId, target, "undo");
    return { undone: last, kept, keptIn: backupFile(paths, kept) };
  });
}
