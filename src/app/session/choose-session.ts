import { projectDirectoryName } from "../../claude/paths.ts";
import { absolutePath } from "../../core/absolute-path.ts";
import { Failure } from "../../core/failure.ts";
import { quotePosixWord } from "../../core/posix-quote.ts";
import { isSessionId } from "../../core/session-id.ts";
import { parentOf, resolveLinks } from "../../io/files/read-file.ts";
import { type Backup, isUndoable, listBackups, listBackupSessions } from "../../store/snapshots/backups.ts";
import { readLatest } from "../../store/snapshots/read-latest.ts";
import { allMarks, listSessionIds, type SessionView, viewSession } from "../../store/snapshots/session-view.ts";
import type { Environment } from "../environment.ts";
import { installedRecords } from "../installed-hooks.ts";
import { matchSession } from "./match-session.ts";

/** The user named a file, not a session id. */
export const isFileName = (given: string): boolean => /[\\/]|\.jsonl$/.test(given);

/** The session for an id or a prefix of one; default: the newest of this directory. */
export function chooseSession(environment: Environment, given: string | undefined, cwd: string): string {
  const { paths } = environment;
  if (given === undefined) {
    const here = newestSnapshotHere(environment, cwd);
    if (here) return here;
    // Never falls back to another project: a restore there would surprise the user.
    const elsewhere = readLatest(paths)?.sessionId;
    throw new Failure("not-found", `there is no snapshot of a session in ${cwd}`, {
      hint: elsewhere
        ? `The newest elsewhere is ${elsewhere}: give its id to use it. List all with: session-snapshot status`
        : adviseFirstSnapshot(environment),
    });
  }
  if (!isSessionId(given)) throw new Failure("usage", `"${given.slice(0, 60)}" is not a session id`);
  const match = matchSession(listSessionIds(paths), given);
  if (match !== undefined) return match;
  throw new Failure("not-found", `no snapshot of a session "${given}"`, {
    hint:
      listSessionIds(paths).length > 0 ? "List them with: session-snapshot status" : adviseFirstSnapshot(environment),
  });
}

const adviseFirstSnapshot = (environment: Environment): string =>
  installedRecords(environment).snapshots
    ? "There are no snapshots yet. The hooks are installed: Claude's next tool call takes one."
    : "Run session-snapshot install; then Claude's hooks take snapshots.";

export function newestSnapshotHere({ paths }: Environment, cwd: string): string | undefined {
  const isHere = directoryTest(cwd);
  const here = listSessionIds(paths)
    .flatMap((id) => {
      const view = viewSession(paths, id);
      // The time of the state file does not count, since packing also writes it.
      return view && isHere(view) ? [{ id, time: allMarks(view).at(-1)?.time ?? 0 }] : [];
    })
    .sort((a, b) => b.time - a.time);
  return here[0]?.id;
}

/** Tells whether a session belongs to this directory. */
export function directoryTest(cwd: string): (session: Pick<SessionView, "cwd" | "transcriptPath">) => boolean {
  const real = resolveLinks(cwd);
  const slug = projectDirectoryName(real);
  return ({ cwd: recorded, transcriptPath }) => {
    if (recorded !== undefined && (recorded === cwd || resolveLinks(recorded) === real)) return true;
    // Claude shortens long names, so only the hook knows the directory; older state files have only the name.
    if (!parentOf(transcriptPath).endsWith(`/${slug}`)) return false;
    // Claude names `a/b` and `a-b` alike. A recorded directory with another name is one that Claude changed to.
    return recorded === undefined || projectDirectoryName(resolveLinks(recorded)) !== slug;
  };
}

/**
 * The session to undo, by its id or by the file that was repaired; default: the one of this directory with the newest
 * backup that is not undone yet. Never falls back to another project.
 */
export function chooseUndoSession(environment: Environment, given: string | undefined, cwd: string): string {
  const backups = allBackups(environment);
  if (given !== undefined && isFileName(given)) {
    const file = resolveLinks(absolutePath(given, cwd));
    const found = backups.find(({ target }) => target === file);
    if (found) return found.sessionId;
    throw new Failure("not-found", `there is nothing to undo for ${given}`);
  }
  if (given !== undefined) return chooseSession(environment, given, cwd);
  const here = newestUndoableHere(environment, cwd);
  if (here) return here.sessionId;
  const elsewhere = backups.find((backup) => isUndoable(backup));
  const hint = elsewhere && `The newest elsewhere: session-snapshot undo ${undoName(elsewhere)}`;
  throw new Failure("not-found", `there is nothing to undo in ${cwd}`, hint === undefined ? {} : { hint });
}

/** The newest backup of a session in this directory that is not undone yet. */
export const newestUndoableHere = (environment: Environment, cwd: string): Backup | undefined =>
  allBackups(environment)
    .filter((backup) => isUndoable(backup))
    .find((backup) => isOfDirectory(environment, backup, cwd));

/** Newest first. */
const allBackups = ({ paths }: Environment): Backup[] =>
  listBackupSessions(paths)
    .flatMap((id) => listBackups(paths, id))
    .sort((a, b) => b.time - a.time);

/** A repaired file that is not one of Claude's transcripts belongs to the directory that contains it. */
function isOfDirectory({ paths }: Environment, { sessionId, target }: Backup, cwd: string): boolean {
  const view = viewSession(paths, sessionId) ?? { cwd: undefined, transcriptPath: target };
  return directoryTest(cwd)(view) || parentOf(target) === resolveLinks(cwd);
}

const undoName = ({ sessionId, target }: Backup): string =>
  target.endsWith(`/${sessionId}.jsonl`) ? sessionId : quotePosixWord(target);
