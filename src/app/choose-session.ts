import { projectDirectoryName } from "../claude/paths.ts";
import { Failure } from "../core/failure.ts";
import { isSessionId } from "../core/session-id.ts";
import { parentOf, resolveLinks } from "../io/read-file.ts";
import { isUndoable, listBackups, listBackupSessions } from "../store/backups.ts";
import { readLatest } from "../store/read-latest.ts";
import { allMarks, listSessionIds, viewSession } from "../store/session-view.ts";
import type { Environment } from "./environment.ts";
import { matchSession } from "./match-session.ts";

/** The session that a person means: an id, the beginning of one, or, unsaid, the newest of this directory. */
export function chooseSession(environment: Environment, given: string | undefined, cwd: string): string {
  const { paths } = environment;
  if (given === undefined) {
    const here = newestSnapshotHere(environment, cwd);
    if (here) return here;
    // Never that of another project: what would be restored is not what was meant.
    const elsewhere = readLatest(paths)?.sessionId;
    throw new Failure("not-found", `there is no snapshot of a session in ${cwd}`, {
      hint: elsewhere
        ? `The newest elsewhere is ${elsewhere}; name it to mean it. All of them: session-snapshot status.`
        : "Run session-snapshot install, and Claude's hooks will take them.",
    });
  }
  if (!isSessionId(given)) throw new Failure("usage", `"${given.slice(0, 60)}" is not a session id`);
  const match = matchSession(listSessionIds(paths), given);
  if (match !== undefined) return match;
  throw new Failure("not-found", `no snapshot of a session "${given}"`, { hint: "See session-snapshot status." });
}

export function newestSnapshotHere({ paths }: Environment, cwd: string): string | undefined {
  const real = resolveLinks(cwd);
  const slug = projectDirectoryName(real);
  const here = listSessionIds(paths)
    .flatMap((id) => {
      const view = viewSession(paths, id);
      if (typeof view === "string") return [];
      // Long names are cut by Claude, and only the hook knows the directory; older states know only the name.
      const isHere = view.cwd === cwd || view.cwd === real || parentOf(view.transcriptPath).endsWith(`/${slug}`);
      if (!isHere) return [];
      // Not the time of the state file: packing writes it too.
      return [{ id, time: allMarks(view).at(-1)?.time ?? 0 }];
    })
    .sort((a, b) => b.time - a.time);
  return here[0]?.id;
}

/** Undo means the last restore: unsaid, it is the session that has the newest backup not yet undone. */
export function chooseUndoSession(environment: Environment, given: string | undefined, cwd: string): string {
  if (given !== undefined) return chooseSession(environment, given, cwd);
  const newest = listBackupSessions(environment.paths)
    .flatMap((id) => listBackups(environment.paths, id))
    .filter((backup) => isUndoable(backup))
    .sort((a, b) => b.time - a.time)[0];
  if (newest) return newest.sessionId;
  throw new Failure("not-found", "there is nothing to undo");
}
