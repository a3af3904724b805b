import type { FileMark } from "../../core/files/file-mark.ts";
import { isBeingRemoved, removeTree } from "../../io/durable/remove-tree.ts";
import { listDirectory } from "../../io/files/read-file.ts";
import type { SnapshotPaths } from "../snapshots/snapshot-paths.ts";
import { treesDirectory } from "./tree-paths.ts";
import { readRecord, writeRecord } from "./tree-record.ts";

/** Removes marks; without any mark left, the whole repository. The objects go with the next packing. */
export function removeMarks(directory: string, isGoing: (mark: FileMark) => boolean): void {
  const record = readRecord(directory);
  if (record === undefined || record === "damaged") return removeTree(directory);
  const marks = record.marks.filter((mark) => !isGoing(mark));
  if (marks.length === 0) return removeTree(directory);
  const numbers = new Set(marks.map(({ n }) => n));
  const restores = record.restores.filter(({ from, to }) => numbers.has(from) && numbers.has(to));
  writeRecord(directory, { ...record, marks, restores });
}

/** Completes removals that were interrupted. */
export function finishTreeRemovals(paths: SnapshotPaths): void {
  const root = treesDirectory(paths);
  for (const name of listDirectory(root)) if (isBeingRemoved(name)) removeTree(`${root}/${name}`);
}
