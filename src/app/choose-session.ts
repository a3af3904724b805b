import { projectSlug } from "../claude/paths.ts";
import { Failure } from "../core/failure.ts";
import { isSessionId } from "../core/session-id.ts";
import { parentOf, readText, resolveLinks } from "../io/read-file.ts";
import { listBackups, listBackupSessions } from "../store/backups.ts";
import { allMarks, listSessionIds, viewSession } from "../store/session-view.ts";
import type { Environment } from "./environment.ts";

/** The session that a person means: an id, the beginning of one, or, unsaid, the newest of this directory or of all. */
export function chooseSession(environment: Environment, given: string | undefined, cwd: string): string {
  const { paths } = environment;
  const ids = listSessionIds(paths);
  if (given === undefined) {
    const found = newestHere(environment, ids, cwd) ?? latest(environment);
    if (found) return found;
    throw new Failure("not-found", "there are no snapshots yet", {
      hint: "Run session-snapshot install, and Claude's hooks will take them.",
    });
  }
  if (!isSessionId(given)) throw new Failure("usage", `"${given.slice(0, 60)}" is not a session id`);
  const matches = ids.includes(given) ? [given] : ids.filter((id) => id.startsWith(given));
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  if (only === undefined) {
    throw new Failure("not-found", `no snapshot of a session "${given}"`, { hint: "See session-snapshot status." });
  }
  throw new Failure(
    "usage",
    `"${given}" is the beginning of ${matches.length} sessions: ${matches.slice(0, 5).join(", ")}`,
  );
}

function newestHere({ paths }: Environment, ids: readonly string[], cwd: string): string | undefined {
  const slug = projectSlug(resolveLinks(cwd));
  const here = ids
    .flatMap((id) => {
      const view = viewSession(paths, id);
      if (typeof view === "string" || !parentOf(view.transcriptPath).endsWith(`/${slug}`)) return [];
      // Not the time of the state file: packing writes it too.
      return [{ id, time: allMarks(view).at(-1)?.time ?? 0 }];
    })
    .sort((a, b) => b.time - a.time);
  return here[0]?.id;
}

function latest({ paths }: Environment): string | undefined {
  try {
    const value = JSON.parse(readText(paths.latest) ?? "null") as { sessionId?: unknown } | null;
    const id = value?.sessionId;
    return typeof id === "string" && isSessionId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Undo means the last restore: unsaid, it is the session that has the newest backup not yet undone. */
export function chooseUndoSession(environment: Environment, given: string | undefined, cwd: string): string {
  if (given !== undefined) return chooseSession(environment, given, cwd);
  const newest = listBackupSessions(environment.paths)
    .flatMap((id) => listBackups(environment.paths, id))
    .filter((backup) => backup.kind !== "undo" && !backup.undone)
    .sort((a, b) => b.time - a.time)[0];
  if (newest) return newest.sessionId;
  throw new Failure("not-found", "there is nothing to undo");
}
