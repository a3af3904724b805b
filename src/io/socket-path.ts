import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { platform } from "../platform/current.ts";
import { makeDirectory } from "./durable.ts";
import { NotOurs } from "./read-own-file.ts";

/** Where the socket of a host is to be, in a directory that nobody else can look into; made when it is not there. */
export function makeSocketPath(id: string, variables: Readonly<Record<string, string | undefined>>): string {
  const directories = platform.socketDirectories(variables);
  if (directories.length === 0) return `\\\\.\\pipe\\ai-runtime-${id}`;
  const fits = (directory: string): boolean =>
    Buffer.byteLength(`${directory}/${id}.sock`) <= platform.longestSocketPath;
  const directory = directories.find((each) => fits(each) && isUsableParent(each)) ?? directories.at(-1) ?? "";
  makePrivateDirectory(directory);
  return `${directory}/${id}.sock`;
}

/** After a logout the login's own directory may be gone, and is not ours to make. */
function isUsableParent(directory: string): boolean {
  return lstatSync(dirname(directory), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * Unlike other directories of ours, one that is there with a wrong mode is not put right but refused: it lies where others may
 * write, and whoever made it so may have put something in it.
 */
function makePrivateDirectory(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return makeDirectory(path);
  if (stats.isSymbolicLink()) throw new NotOurs(path, "is a symbolic link");
  if (!stats.isDirectory()) throw new NotOurs(path, "is not a directory");
  if (process.geteuid === undefined) return;
  if (stats.uid !== process.geteuid()) throw new NotOurs(path, "is another user's");
  if ((stats.mode & 0o077) !== 0) throw new NotOurs(path, "can be opened by others (its mode must be 0700)");
}
