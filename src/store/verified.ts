import { DurableError, makeDirectory, replaceFile } from "../io/durable.ts";
import { readText } from "../io/read-file.ts";
import type { SnapshotPaths } from "./snapshot-paths.ts";

/** A file that was found clean: as long as it has this size and hash, it is. */
export interface Verified {
  size: number;
  hash: string;
  /** What was found out about it, for whoever asks again. */
  facts: object;
}

/** Of the rules by which a file is found clean. When they change, nothing that was found before counts. */
const rules = 1;
const most = 1_000;

export function recallVerified(paths: SnapshotPaths, path: string): Verified | undefined {
  return readAll(paths).get(path);
}

/** Forgets the oldest ones. A memory that cannot be written costs time, and nothing else. */
export function rememberVerified(paths: SnapshotPaths, path: string, verified: Verified): void {
  const all = readAll(paths);
  all.delete(path);
  all.set(path, verified);
  const files = Object.fromEntries([...all].slice(-most));
  try {
    makeDirectory(paths.root);
    replaceFile(paths.verified, JSON.stringify({ version: 1, rules, files }));
  } catch (error) {
    if (!(error instanceof DurableError)) throw error;
  }
}

function readAll(paths: SnapshotPaths): Map<string, Verified> {
  try {
    const value = JSON.parse(readText(paths.verified) ?? "null") as { rules?: unknown; files?: unknown } | null;
    if (value?.rules !== rules || typeof value.files !== "object" || value.files === null) return new Map();
    return new Map(Object.entries(value.files).filter((entry): entry is [string, Verified] => isVerified(entry[1])));
  } catch {
    return new Map();
  }
}

function isVerified(value: unknown): value is Verified {
  if (typeof value !== "object" || value === null) return false;
  const { size, hash, facts } = value as Partial<Verified>;
  return typeof size === "number" && typeof hash === "string" && typeof facts === "object" && facts !== null;
}
