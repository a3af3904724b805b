import { statfsSync } from "node:fs";
import { dirname } from "node:path";

/** The bytes that this user can still write at the path, which need not exist. */
export function freeSpace(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    const parent = dirname(path);
    return parent === path ? undefined : freeSpace(parent);
  }
}
