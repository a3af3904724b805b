import type { FileChange, TreeEntry } from "../../core/files/file-change.ts";
import { orderRestore, parentsOf } from "../../core/files/order-restore.ts";
import { Failure } from "../../core/failure.ts";
import type { FileMark } from "../../core/files/file-mark.ts";
import {
  removeProjectDirectory,
  removeProjectFile,
  setProjectMode,
  sweepProjectDirectory,
  writeProjectFile,
  writeProjectLink,
} from "../../io/durable/project-file.ts";
import { lookAt, textOfBytes } from "../../io/files/byte-path.ts";
import { listBelow, listInside, type ProjectEntry, readProjectEntry } from "../../io/files/read-project-file.ts";
import type { Git } from "../../io/git/run-git.ts";
import { contentId, readContents } from "../../store/trees/read-trees.ts";
import { usualMode } from "../../store/trees/tree-marks.ts";

/** A way from one mark to another, for some paths. */
export interface Move {
  root: string;
  changes: readonly FileChange[];
  /** The permission bits of the target. */
  modes: Pick<FileMark, "modes" | "mask">;
  /** When the target was marked. A directory that is older existed then, perhaps without files, and stays. */
  since: number;
}

/** An ignored file is in no mark, but may be exactly what the target has at its path. Then it stays, whatever happens. */
export const isPresent = (root: string, { path, from, to }: FileChange): boolean =>
  from === undefined && to !== undefined && isSame(readProjectEntry(root, path), to);

/** Why the move cannot be carried out as a whole; empty when it can. Nothing is changed. */
export function findObstacles({ root, changes }: Move): string[] {
  const leaving = new Set(changes.filter(({ to }) => to === undefined).map(({ path }) => path));
  return changes.flatMap(({ path, from, to }) => {
    const name = textOfBytes(path);
    const entry = readProjectEntry(root, path);
    if (from && !isSame(entry, from)) return [`${name} has changed meanwhile`];
    if (to === undefined) return [];
    const blocked = parentsOf(path).find((parent) => {
      const { kind } = readProjectEntry(root, parent);
      return kind !== "missing" && kind !== "directory" && !leaving.has(parent);
    });
    if (blocked !== undefined) return [`${textOfBytes(blocked)} is in the way of ${name}, and in no mark`];
    if (from || entry.kind === "missing") return [];
    // A directory gives way when everything in it does.
    if (entry.kind === "directory" && listBelow(root, path).every((each) => leaving.has(each))) return [];
    return [`${name} exists, but is in no mark (git ignores it, or it is too large)`];
  });
}

/** Checks that the content of the target is complete, before anything is changed. */
export async function verifyContents(git: Git, { changes }: Move): Promise<void> {
  const names = new Map(changes.flatMap(({ path, to }) => (to ? [[to.id, path] as const] : [])));
  await readContents(git, [...names.keys()], (id, content) => {
    if (content) return;
    throw new Failure(
      "corrupt",
      `the saved content of ${textOfBytes(names.get(id) ?? "")} is damaged; nothing was changed`,
    );
  });
}

/** Carries the move out. Doing it again completes one that was interrupted. */
export async function carryOut(git: Git, { root, changes, modes, since }: Move): Promise<void> {
  for (const directory of new Set(changes.map(({ path }) => parentsOf(path)[0] ?? ""))) {
    sweepProjectDirectory(root, directory);
  }
  const ordered = orderRestore(changes);
  const firstWrite = ordered.findIndex(({ to }) => to !== undefined);
  const early = firstWrite < 0 ? [] : ordered.slice(0, firstWrite);
  for (const change of early) removePath(root, change, since);
  const writes = ordered.filter(({ to }) => to !== undefined);
  const byId = Map.groupBy(writes, ({ to }) => to?.id ?? "");
  await readContents(git, [...byId.keys()], (id, content) => {
    for (const change of byId.get(id) ?? []) {
      if (!change.to) continue;
      if (!content) throw new Failure("corrupt", `the saved content of ${textOfBytes(change.path)} is damaged`);
      writePath(root, { ...change, to: change.to }, content, modes);
    }
  });
  for (const change of ordered.slice(early.length)) if (change.to === undefined) removePath(root, change, since);
}

/** Paths that are not as the move should have left them. */
export const findDeviations = ({ root, changes }: Move): string[] =>
  changes
    .filter(({ path, to }) => {
      const entry = readProjectEntry(root, path);
      return to ? !isSame(entry, to) : entry.kind !== "missing" && entry.kind !== "directory";
    })
    .map(({ path }) => textOfBytes(path));

/** Whether there is something else than either side of the change: it was written meanwhile, and may be in no mark. */
export function isNewer(root: string, { path, from, to }: FileChange): boolean {
  const present = readProjectEntry(root, path);
  const isSide = (side: TreeEntry | undefined): boolean =>
    side ? isSame(present, side) : present.kind === "missing" || present.kind === "directory";
  return !isSide(from) && !isSide(to);
}

function refuseNewer(root: string, change: FileChange): void {
  if (isNewer(root, change)) throw new Failure("failed", `${textOfBytes(change.path)} has changed meanwhile`);
}

function writePath(
  root: string,
  change: FileChange & { to: TreeEntry },
  content: Uint8Array,
  { modes, mask }: Move["modes"],
): void {
  const { path, to } = change;
  refuseNewer(root, change);
  // A file may be called "constructor".
  const kept = Object.hasOwn(modes, path) ? modes[path] : undefined;
  const mode = kept ?? usualMode(to.kind === "executable", mask);
  const present = readProjectEntry(root, path);
  if (present.kind === "directory") removeEmptyBelow(root, path);
  if (isSame(present, to)) {
    if (present.kind === "file" && present.mode !== mode) setProjectMode(root, path, mode);
  } else if (to.kind === "link") writeProjectLink(root, path, content);
  else writeProjectFile(root, path, content, mode);
}

/** Removes a file, and the directories above it that became empty by that and are newer than the target. */
function removePath(root: string, change: FileChange, since: number): void {
  const { path } = change;
  refuseNewer(root, change);
  if (readProjectEntry(root, path).kind !== "missing") removeProjectFile(root, path);
  for (const parent of parentsOf(path)) {
    // 0: the file system does not know.
    const bornAt = lookAt(root, parent)?.birthtimeMs ?? 0;
    if ((bornAt > 0 && bornAt < since) || !removeProjectDirectory(root, parent)) return;
  }
}

/** The files in it are gone already, but not every directory. */
function removeEmptyBelow(root: string, path: string): void {
  if (listBelow(root, path).length > 0) throw new Failure("failed", `${textOfBytes(path)} is a directory with files`);
  for (const inside of listInside(root, path)) removeEmptyBelow(root, inside);
  removeProjectDirectory(root, path);
}

function isSame(entry: ProjectEntry, expected: TreeEntry): boolean {
  if (entry.kind === "link") return expected.kind === "link" && contentId(entry.content) === expected.id;
  if (entry.kind !== "file" || expected.kind === "link") return false;
  const isExecutable = (entry.mode & 0o100) !== 0;
  return isExecutable === (expected.kind === "executable") && contentId(entry.content) === expected.id;
}
