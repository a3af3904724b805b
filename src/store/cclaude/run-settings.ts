import { makeDirectory, removeFile, replaceFile, sweepTemporaries } from "../../io/durable/durable.ts";
import { fileFacts, listDirectory } from "../../io/files/read-file.ts";
import { textHash } from "../../io/files/text-hash.ts";
import { identifyProcess, type ProcessIdentity } from "../../io/process/process.ts";
import type { SnapshotPaths } from "../snapshots/snapshot-paths.ts";

// Settings files for one start of claude. They may hold the user's secrets, which other users could read on a command line.

/** A claude can outlive its killed supervisor, and may read its settings again. */
const minLeftoverAgeMs = 86_400_000;

/** Writes a file for a claude of this process, and returns its path. */
export function writeRunSettings(paths: SnapshotPaths, text: string): string {
  const own = identifyProcess(process.pid);
  if (!own) throw new Error("cannot identify our own process");
  makeDirectory(paths.runSettings);
  const path = `${paths.runSettings}/${prefixOf(own)}${crypto.randomUUID()}.json`;
  replaceFile(path, text);
  return path;
}

export const removeRunSettings = (path: string): boolean => removeFile(path);

/** Removes the files of killed processes. */
export function sweepRunSettings(paths: SnapshotPaths, now: number): void {
  for (const name of listDirectory(paths.runSettings)) {
    const pid = Number(/^(\d+)-/.exec(name)?.[1]);
    const path = `${paths.runSettings}/${name}`;
    const { modified = now } = fileFacts(path) ?? {};
    if (Number.isNaN(pid) || now - modified < minLeftoverAgeMs) continue;
    const current = identifyProcess(pid);
    if (!current || !name.startsWith(prefixOf(current))) removeFile(path);
  }
  sweepTemporaries(paths.runSettings, minLeftoverAgeMs, now);
}

/** Names the process that removes the file. */
const prefixOf = ({ pid, startTime, bootId }: ProcessIdentity): string =>
  `${pid}-${textHash(`${startTime} ${bootId}`).slice(0, 16)}-`;
