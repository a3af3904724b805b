import { lstatSync } from "node:fs";
import type { HeldTree } from "../../core/files/tree-retention.ts";
import { fileFacts, isDirectory, listFiles } from "../../io/files/read-file.ts";
import type { SnapshotPaths } from "../snapshots/snapshot-paths.ts";
import { listTreeDirectories } from "./tree-paths.ts";
import { readRecord, recordPath } from "./tree-record.ts";

/** What the file marks of every workspace hold. */
export const surveyTrees = (paths: SnapshotPaths): HeldTree[] =>
  listTreeDirectories(paths).map((directory) => {
    const record = readRecord(directory);
    const isReadable = record !== undefined && record !== "damaged";
    return {
      directory,
      workspace: isReadable ? record.workspace : "?",
      bytes: ownBytes(directory),
      lastUse: fileFacts(recordPath(directory))?.modified ?? 0,
      workspaceExists: isReadable && isDirectory(record.workspace),
    };
  });

/** The bytes of the files below a directory. A file that the project has under another name costs nothing of ours. */
export function ownBytes(directory: string): number {
  return listFiles(directory).reduce((sum, name) => {
    const stats = lstatSync(`${directory}/${name}`, { throwIfNoEntry: false });
    return sum + (stats && stats.nlink === 1 ? stats.size : 0);
  }, 0);
}
