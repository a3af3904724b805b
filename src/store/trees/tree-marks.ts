import { type FileMark, thinFileMarks } from "../../core/files/file-mark.ts";
import { moveFile, removeFile } from "../../io/durable/durable.ts";
import { syncChangedDirectories } from "../../io/durable/link-file.ts";
import { type BytePath, lookAt } from "../../io/files/byte-path.ts";
import { directoryIdentity, fileFacts, listDirectory } from "../../io/files/read-file.ts";
import { type Git, GitError } from "../../io/git/run-git.ts";
import type { Captured, CaptureOptions } from "./capture.ts";
import { findChanged, rootPlace } from "./find-changed.ts";
import { emptyTree } from "./tree-paths.ts";
import {
  damagedPrefix,
  newRecord,
  readRecord,
  recordPath,
  type TreeRecord,
  writeRecord,
  writeRecordAfter,
} from "./tree-record.ts";
import { prepareRepository, writeExcludes } from "./tree-repository.ts";

export interface OpenTrees {
  git: Git;
  record: TreeRecord;
  /** What was just captured; undefined before the first capture. */
  captured: Captured | undefined;
}

export type FileMarkFacts = Pick<FileMark, "time" | "reason" | "sessionId" | "mark" | "before" | "late">;

export interface OpenOptions extends Omit<CaptureOptions, "excludesChanged"> {
  /** Patterns of the user and of the project's `info/exclude`. */
  excludes: string;
}

/** The caller holds the workspace's lock. */
export function openTrees(git: Git, workspace: string): OpenTrees {
  const read = readRecord(git.directory);
  if (read === "damaged") setAside(git.directory);
  const identity = directoryIdentity(workspace);
  const record = read && read !== "damaged" ? { ...read, workspace, identity } : newRecord(workspace, identity);
  return { git, record, captured: undefined };
}

/** A new record begins. The content of the old marks stays: while this file exists, maintenance removes no object. */
function setAside(directory: string): void {
  const number = listDirectory(directory).filter((name) => name.startsWith(damagedPrefix)).length + 1;
  moveFile(recordPath(directory), `${directory}/${damagedPrefix}${number}.json`);
}

/** Captures the present state of all files. */
export async function capture(trees: OpenTrees, { excludes, ...options }: OpenOptions): Promise<Captured> {
  const { git, record } = trees;
  prepareRepository(git.directory);
  const excludesChanged = writeExcludes(git.directory, excludes);
  removeLocks(git.directory);
  // Git looks at the files while the rest of our code is loaded.
  const changed = findChanged(git, rootPlace(git, record));
  const [{ captureTree }] = await Promise.all([import("./capture.ts"), changed.catch(() => undefined)]);
  try {
    trees.captured = await captureTree(git, record, { ...options, excludesChanged }, changed);
  } catch (error) {
    if (!(error instanceof GitError) || error.wasAborted) throw error;
    // An index can be damaged by a power cut, and a file can vanish meanwhile. An index is only a cache: begin without it.
    removeIndexes(git.directory);
    trees.captured = await captureTree(
      git,
      { ...record, indexes: {}, composed: null },
      { ...options, excludesChanged },
    );
  }
  return trees.captured;
}

/** Records what was captured. Returns undefined when nothing has changed since the newest mark. */
export async function addMark(
  trees: OpenTrees,
  facts: FileMarkFacts,
  now: () => number,
): Promise<FileMark | undefined> {
  const { git, record, captured } = trees;
  if (!captured) throw new TypeError("nothing was captured");
  const last = record.marks.at(-1);
  const modes = modesOf(record, captured);
  const isSame = last ? last.tree === captured.tree && sameModes(last.modes, modes.modes) : captured.tree === emptyTree;
  const { indexes, composed } = captured;
  if (isSame) {
    const isKnown = JSON.stringify([record.indexes, record.composed]) === JSON.stringify([indexes, composed]);
    if (!isKnown && last) writeRecord(git.directory, (trees.record = { ...record, indexes, composed }));
    return undefined;
  }
  const syncedAt = now();
  const since = Math.min(record.syncedAt, facts.time) - clockSlackMs;
  const mark: FileMark = { ...facts, n: record.count + 1, tree: captured.tree, left: captured.left, ...modes };
  const needed = new Set(record.restores.flatMap(({ from, to }) => [from, to]));
  trees.record = {
    ...record,
    count: mark.n,
    marks: thinFileMarks([...record.marks, mark], needed),
    indexes,
    composed,
    syncedAt,
    tookMs: Math.max(0, syncedAt - facts.time),
  };
  await writeRecordAfter(git.directory, trees.record, syncChangedDirectories(`${git.directory}/objects`, since));
  return mark;
}

/** The clock of a file system is a little behind. */
const clockSlackMs = 2_000;
/** More unusual files than this are not worth their place in every mark. */
const maxModes = 5_000;

/** Git keeps only the executable bit. Other bits that are not the usual ones are kept beside the tree. */
function modesOf({ workspace, marks }: TreeRecord, { touched }: Captured): Pick<FileMark, "modes" | "mask"> {
  const last = marks.at(-1);
  const mask = last?.mask ?? commonMask(workspace, touched);
  // Not an object: a file may be called "__proto__".
  const modes = new Map<BytePath, number>(Object.entries(last?.modes ?? {}));
  for (const path of touched) {
    const stats = lookAt(workspace, path);
    const mode = (stats?.mode ?? 0) & 0o777;
    modes.delete(path);
    if (stats?.isFile() !== true || mode === usualMode((mode & 0o100) !== 0, mask)) continue;
    if (modes.size < maxModes) modes.set(path, mode);
  }
  return { modes: Object.fromEntries(modes), mask };
}

/** The mask that most files were created with, which need not be ours: then few files are unusual. */
function commonMask(workspace: string, paths: readonly BytePath[]): number {
  const own = process.umask();
  const counts = new Map<number, number>([[own, 0]]);
  for (const path of paths) {
    const stats = lookAt(workspace, path);
    if (stats?.isFile() !== true) continue;
    const mask = [own, 0o002, 0o022, 0o027, 0o077].find(
      (each) => (stats.mode & 0o777) === usualMode((stats.mode & 0o100) !== 0, each),
    );
    if (mask !== undefined) counts.set(mask, (counts.get(mask) ?? 0) + 1);
  }
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

export const usualMode = (isExecutable: boolean, mask: number): number => (isExecutable ? 0o777 : 0o666) & ~mask;

const sameModes = (one: Record<string, number>, other: Record<string, number>): boolean => {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
};

/** A killed git leaves its lock files. Our own lock says that no git is at work. */
function removeLocks(directory: string): void {
  if (fileFacts(`${directory}/index.lock`)) removeFile(`${directory}/index.lock`);
  for (const name of listDirectory(`${directory}/indexes`)) {
    if (name.endsWith(".lock") || name === "composed") removeFile(`${directory}/indexes/${name}`);
  }
}

function removeIndexes(directory: string): void {
  removeFile(`${directory}/index`);
  removeFile(`${directory}/index.lock`);
  for (const name of listDirectory(`${directory}/indexes`)) removeFile(`${directory}/indexes/${name}`);
}
