import { platform } from "../platform/current.ts";
import type { FileLock } from "../platform/platform.ts";
import { attempt } from "./durable-error.ts";

export type { FileLock };

/** Takes the lock or says at once that another process (or another part of this one) holds it. */
export const tryFileLock = (path: string): FileLock | "busy" => attempt("lock", path, () => platform.lockFile(path));
