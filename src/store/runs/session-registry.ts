import { maxOrphanAgeMs } from "../../core/run/orphaned-session.ts";
import { makeRunId } from "../../core/run/run-id.ts";
import { makeDirectory, removeFile, replaceFile } from "../../io/durable/durable.ts";
import { discardDirectory } from "../../io/durable/remove-directory.ts";
import { fileFacts, listDirectory } from "../../io/files/read-file.ts";
import type { RunPaths } from "./run-paths.ts";
import { listActiveIds } from "./run-registry.ts";

// Sessions of cclaude are in the registry of runs while they last, each with a directory for the reports of its hooks.

/** The record goes first: a directory without one means nothing. */
export function removeSessionRecord(paths: RunPaths, id: string): void {
  removeFile(paths.activeRun(id));
  discardDirectory(paths.sessionEvents(id));
}

/** Removes the directories of sessions that are gone. A recent one may belong to a session that ends right now. */
export function sweepSessionEvents(paths: RunPaths, before: number): void {
  const root = `${paths.root}/runs/sessions`;
  const known = new Set(listActiveIds(paths));
  // An id starts with its time.
  const oldest = makeRunId(before, () => 0);
  const isOld = (name: string): boolean =>
    name.startsWith(plainPrefix) ? !isAnnounced(paths, name, before - maxOrphanAgeMs) : name < oldest;
  for (const id of listDirectory(root).filter((name) => !known.has(name) && isOld(name)))
    discardDirectory(`${root}/${id}`);
}

const plainPrefix = "plain-";

/** The name under which the interruption of a claude without cclaude is remembered. */
export const plainName = (sessionId: string): string => `${plainPrefix}${sessionId}`;

const announcement = (paths: RunPaths, id: string): string => `${paths.sessionEvents(id)}/announced`;

/** Whether an interruption of this run was announced to the user since that time, in milliseconds since 1970. */
export const isAnnounced = (paths: RunPaths, id: string, since: number): boolean =>
  (fileFacts(announcement(paths, id))?.modified ?? -Infinity) >= since;

export function markAnnounced(paths: RunPaths, id: string): void {
  makeDirectory(paths.sessionEvents(id));
  replaceFile(announcement(paths, id), "");
}
