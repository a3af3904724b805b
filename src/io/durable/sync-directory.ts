import { closeSync, constants, fsync, fsyncSync, openSync } from "node:fs";
import { platform } from "../../platform/current.ts";
import { codeOf, DurableError } from "./durable-error.ts";

/** Syncs an open file while other work goes on. Loading node:util for its `promisify` would cost a hook 3 ms. */
export function syncLater(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => fsync(descriptor, (error) => (error ? reject(error) : resolve())));
}

/** Like syncDirectory, while other work goes on. */
export async function syncDirectoryLater(path: string): Promise<void> {
  if (!platform.syncsDirectories) return;
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await syncLater(descriptor);
  } catch (error) {
    if (!isUnsupported(error)) throw new DurableError("sync", path, error);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes created, replaced and removed names in a directory survive a power cut. */
export function syncDirectory(path: string): void {
  if (!platform.syncsDirectories) return;
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Some network and FUSE file systems do not support it, and there is no alternative. */
const isUnsupported = (error: unknown): boolean => ["EINVAL", "ENOTSUP", "EOPNOTSUPP"].includes(codeOf(error));
