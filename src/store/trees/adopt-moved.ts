import { moveFile } from "../../io/durable/durable.ts";
import { directoryIdentity, isDirectory } from "../../io/files/read-file.ts";
import type { SnapshotPaths } from "../snapshots/snapshot-paths.ts";
import { listTreeDirectories, treeDirectory } from "./tree-paths.ts";
import { readRecord, writeRecord } from "./tree-record.ts";

/** When a project was renamed or moved, its file marks follow. Only a workspace without marks looks for them. */
export function adoptMoved(paths: SnapshotPaths, workspace: string): void {
  const directory = treeDirectory(paths, workspace);
  if (isDirectory(directory)) return;
  const identity = directoryIdentity(workspace);
  for (const other of listTreeDirectories(paths)) {
    const record = readRecord(other);
    if (record === undefined || record === "damaged" || record.identity !== identity) continue;
    if (isDirectory(record.workspace)) continue;
    // A kill in between leaves the old path in the record; the next mark writes the new one.
    moveFile(other, directory);
    writeRecord(directory, { ...record, workspace });
    return;
  }
}
