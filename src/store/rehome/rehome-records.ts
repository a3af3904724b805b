import { parseRehomeRecord, type RehomeRecord } from "../../core/rehome/rehome-record.ts";
import { makeDirectory, replaceFile } from "../../io/durable/durable.ts";
import { listDirectory, readText } from "../../io/files/read-file.ts";
import type { SnapshotPaths } from "../snapshots/snapshot-paths.ts";

const recordPath = (paths: SnapshotPaths, number: number): string => `${paths.rehomed}/${number}.json`;

const numbersIn = (paths: SnapshotPaths): number[] =>
  listDirectory(paths.rehomed)
    .flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? [])
    .map(Number);

/** Also counts records that cannot be read, so that none is overwritten. */
export const nextRehomeNumber = (paths: SnapshotPaths): number => Math.max(0, ...numbersIn(paths)) + 1;

export function writeRehomeRecord(paths: SnapshotPaths, record: RehomeRecord): void {
  makeDirectory(paths.rehomed);
  replaceFile(recordPath(paths, record.number), JSON.stringify(record));
}

/** Newest first. Records that cannot be read are left out. */
export const listRehomeRecords = (paths: SnapshotPaths): RehomeRecord[] =>
  numbersIn(paths)
    .sort((a, b) => b - a)
    .flatMap((number) => {
      const record = parseRehomeRecord(readText(recordPath(paths, number)) ?? "");
      return record?.number === number ? [record] : [];
    });
