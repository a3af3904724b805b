import { platform } from "../../platform/current.ts";
import type { FileLock } from "../../platform/platform.ts";
import { attempt } from "../durable/durable-error.ts";

export type { FileLock };

/** Never waits: undefined while another process, or another part of this one, holds the lock. */
export const tryFileLock = (path: string): FileLock | undefined => attempt("lock", path, () => platform.lockFile(path));
