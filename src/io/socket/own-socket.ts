import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { NotOurs } from "../files/read-own-file.ts";

/** Why an existing directory must not hold sockets of ours; undefined when it may, or does not exist. */
export function directoryFlaw(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) return "is a symbolic link";
  if (!stats.isDirectory()) return "is not a directory";
  if (process.geteuid === undefined) return undefined;
  if (stats.uid !== process.geteuid()) return "is another user's";
  return (stats.mode & 0o077) === 0 ? undefined : "can be opened by others (its mode must be 0700)";
}

/** Throws unless the socket and its directory are this user's alone. A missing socket is left to the connection to report. */
export function requireOwnSocket(path: string): void {
  const flaw = directoryFlaw(dirname(path));
  if (flaw !== undefined) throw new NotOurs(dirname(path), flaw);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isSocket()) throw new NotOurs(path, "is not a socket");
  if (process.geteuid !== undefined && stats.uid !== process.geteuid()) throw new NotOurs(path, "is another user's");
}

export function isOwnSocket(path: string): boolean {
  try {
    requireOwnSocket(path);
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
