import { fileMode } from "./read-file.ts";

/** The mode, if group or others may read, write or enter; undefined when they may not, and on Windows. */
export function exposedMode(path: string): number | undefined {
  const mode = process.geteuid === undefined ? undefined : fileMode(path);
  return mode !== undefined && (mode & 0o077) !== 0 ? mode : undefined;
}
