import { statSync } from "node:fs";
import { moveFile } from "../../io/durable/durable.ts";
import { isDirectory } from "../../io/files/read-file.ts";
import type { SnapshotPaths } from "../snapshots/snapshot-paths.ts";
import { listTreeDirectories, treeDirectory } from "./tree-paths.ts";
import { readRecord, writeRecord } from "./tree-record.ts";

/** Tells a directory from another one that later has its path or its number: a moved directory keeps it. */
export function directoryIdentity(path: string): string {
  const { dev, ino, birthtimeMs } = statSync(path);
  return `${dev}:${ino}:${birthtimeMs}`;
}

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
