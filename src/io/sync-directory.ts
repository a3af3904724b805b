import { closeSync, constants, fsyncSync, openSync } from "node:fs";
import { platform } from "../platform/current.ts";
import { codeOf } from "./durable-error.ts";

/** Makes names that were created, replaced or removed in a directory survive a power cut. */
export function syncDirectory(path: string): void {
  if (!platform.syncsDirectories) return;
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Some network and FUSE file systems know no such thing: there is nothing more that could be done.
    const code = codeOf(error);
    if (code !== "EINVAL" && code !== "ENOTSUP" && code !== "EOPNOTSUPP") throw error;
  } finally {
    closeSync(descriptor);
  }
}
