import { DurableError, makeDirectory, replaceFile } from "../../io/durable/durable.ts";
import { readText } from "../../io/files/read-file.ts";
import type { SnapshotPaths } from "../snapshots/snapshot-paths.ts";

/** A file that was found clean: it stays clean while it has this size and hash. */
export interface Verified {
  size: number;
  hash: string;
  /** The facts that were found, for the next check. */
  facts: object;
}

/** Version of the rules that decide whether a file is clean. When they change, older results do not count. */
const rulesVersion = 1;
const maxEntries = 1_000;

export function recallVerified(paths: SnapshotPaths, path: string): Verified | undefined {
  return readAll(paths).get(path);
}

/** Drops the oldest entries. If this cache cannot be written, the next check only takes longer. */
export function rememberVerified(paths: SnapshotPaths, path: string, verified: Verified): void {
  const all = readAll(paths);
  all.delete(path);
  all.set(path, verified);
  const files = Object.fromEntries([...all].slice(-maxEntries));
  try {
    makeDirectory(paths.root);
    replaceFile(paths.verified, JSON.stringify({ version: 1, rules: rulesVersion, files }));
  } catch (error) {
    if (!(error instanceof DurableError)) throw error;
  }
}

function readAll(paths: SnapshotPaths): Map<string, Verified> {
  try {
    const value = JSON.parse(readText(paths.verified) ?? "null") as { rules?: unknown; files?: unknown } | null;
    if (value?.rules !== rulesVersion || typeof value.files !== "object" || value.files === null) return new Map();
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
