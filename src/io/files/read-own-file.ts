import { closeSync, constants, fstatSync, lstatSync, openSync } from "node:fs";
import { codeOf } from "../durable/durable-error.ts";
import { readRange } from "./read-file.ts";

const maxBytes = 1_000_000;

/** Why a file in one of our directories is not trusted. */
export class NotOurs extends Error {
  override readonly name = "NotOurs";
  /** Reported as a plain error, not as a bug of the program. */
  readonly code = "not-ours";
  constructor(path: string, why: string) {
    super(`${path} ${why}: it is left alone`);
  }
}

/** The text of a regular file of this user: not a link, pipe or huge file. Undefined when there is none. */
export function readOwnText(path: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return undefined;
    if (codeOf(error) === "ELOOP") throw new NotOurs(path, "is a symbolic link");
    throw error;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new NotOurs(path, "is not a regular file");
    if (process.geteuid !== undefined && stats.uid !== process.geteuid()) throw new NotOurs(path, "is another user's");
    if (stats.size > maxBytes) throw new NotOurs(path, `has ${stats.size} bytes`);
    return new TextDecoder().decode(readRange(descriptor, 0, stats.size));
  } finally {
    closeSync(descriptor);
  }
}

/** Refuses an existing directory that is a link, a file, or another user's. */
export function requireOwnDirectory(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isSymbolicLink()) throw new NotOurs(path, "is a symbolic link");
  if (!stats.isDirectory()) throw new NotOurs(path, "is not a directory");
  if (process.geteuid !== undefined && stats.uid !== process.geteuid()) throw new NotOurs(path, "is another user's");
}
