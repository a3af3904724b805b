import { moveFile, removeFile, replaceFile } from "../../io/durable/durable.ts";
import { removeEmptyDirectories } from "../../io/durable/remove-directory.ts";
import { fileSize, listDirectory, listFiles, readText } from "../../io/files/read-file.ts";
import { readLatest } from "./read-latest.ts";
import type { SnapshotPaths } from "./snapshot-paths.ts";
import { parseState } from "./snapshot-state.ts";

// A removal starts by renaming the state to `…removing.json`. Until then the session is complete; afterwards it does not exist,
// and any process that finds that name finishes the removal. The caller holds the lock of the session.

/** Every file of this session, in the order of their removal. */
export function listSessionFiles(
  paths: SnapshotPaths,
  sessionId: string,
  generations: readonly string[] = listDirectory(paths.generations),
): string[] {
  const under = (directory: string): string[] => listFiles(directory).map((name) => `${directory}/${name}`);
  const backups = under(`${paths.backups}/${sessionId}`);
  const isManifest = (path: string): boolean => path.endsWith(".json");
  const present = [
    paths.state(sessionId),
    ...mirrorFiles(paths.mirror(sessionId)),
    paths.canary(sessionId),
    paths.restoreNotes(sessionId),
    paths.arrivalNote(sessionId),
    paths.subagentNotes(sessionId),
    paths.steps(sessionId),
    paths.olderSteps(sessionId),
  ];
  return [
    // A copy without its manifest is ignored; a manifest without its copy would be an undo that fails.
    ...backups.filter(isManifest),
    ...backups.filter((path) => !isManifest(path)),
    ...generations.filter((name) => name.startsWith(`${sessionId}.`)).map((name) => `${paths.generations}/${name}`),
    ...present.filter((path) => fileSize(path) !== undefined),
    ...under(paths.sideFiles(sessionId)),
  ];
}

export function removeSession(paths: SnapshotPaths, sessionId: string): void {
  if (fileSize(paths.state(sessionId)) === undefined) return;
  moveFile(paths.state(sessionId), paths.removing(sessionId), { overwrite: true });
  finishRemoval(paths, sessionId);
}

/** Does nothing unless a removal of this session has started. */
export function finishRemoval(paths: SnapshotPaths, sessionId: string): void {
  if (fileSize(paths.removing(sessionId)) === undefined) return;
  // With a state it is a session again: the user has restored it.
  if (fileSize(paths.state(sessionId)) === undefined) {
    for (const path of listSessionFiles(paths, sessionId)) removeFile(path);
    removeEmptyDirectories(`${paths.backups}/${sessionId}`);
    removeEmptyDirectories(paths.sideFiles(sessionId));
    if (readLatest(paths)?.sessionId === sessionId) removeFile(paths.latest);
  }
  removeFile(paths.removing(sessionId));
}

export function removeGeneration(paths: SnapshotPaths, sessionId: string, generation: number): void {
  if (fileSize(paths.pastState(sessionId, generation)) === undefined) return;
  moveFile(paths.pastState(sessionId, generation), paths.pastRemoving(sessionId, generation), { overwrite: true });
  finishGenerationRemoval(paths, sessionId, generation);
}

function finishGenerationRemoval(paths: SnapshotPaths, sessionId: string, generation: number): void {
  for (const path of mirrorFiles(paths.pastMirror(sessionId, generation))) removeFile(path);
  const state = parseState(readText(paths.state(sessionId)) ?? "", sessionId);
  if (state?.past.some((past) => past.generation === generation)) {
    const past = state.past.filter((each) => each.generation !== generation);
    replaceFile(paths.state(sessionId), JSON.stringify({ ...state, past }));
  }
  removeFile(paths.pastRemoving(sessionId, generation));
}

/** The sessions with an unfinished removal. */
export function listUnfinishedRemovals(paths: SnapshotPaths): string[] {
  const names = [...listDirectory(paths.snapshots), ...listDirectory(paths.generations)];
  const ids = names.filter((name) => /^[^.].*\.removing\.json$/.test(name)).map((name) => name.split(".")[0] ?? "");
  return [...new Set(ids)];
}

export function finishRemovals(paths: SnapshotPaths, sessionId: string): void {
  finishRemoval(paths, sessionId);
  for (const name of listDirectory(paths.generations)) {
    const [id, generation, ...rest] = name.split(".");
    if (id !== sessionId || rest.join(".") !== "removing.json") continue;
    finishGenerationRemoval(paths, sessionId, Number(generation));
  }
}

const mirrorFiles = (mirror: string): string[] => [mirror, `${mirror}.zst`, `${mirror}.zst.broken`];
