import { accessSync, constants, existsSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { messageOf } from "../../core/message-of.ts";
import type { Variables } from "../../core/variables.ts";
import { platform } from "../../platform/current.ts";
import { makeDirectory } from "../durable/durable.ts";
import { refusal } from "../durable/durable-error.ts";
import { directoryFlaw } from "./own-socket.ts";

/** A directory that must not be used, and why. */
export interface RejectedDirectory {
  readonly directory: string;
  readonly why: string;
}

/** The directories for sockets, best first. Empty: the system uses named pipes. */
export function listSocketDirectories(variables: Readonly<Variables>, stateRoot: string): readonly string[] {
  return platform.socketDirectories(variables, `${stateRoot}/${nameInState}`);
}

const nameInState = "sockets";

/** The path for the socket of a host, in the first directory that only this user can access; creates the directory. */
export function makeSocketPath(id: string, directories: readonly string[]): string {
  if (directories.length === 0) return `\\\\.\\pipe\\ai-runtime-${id}`;
  const rejected: RejectedDirectory[] = [];
  for (const directory of directories) {
    const why = flawIn(directory, id) ?? failureToMake(directory);
    if (why === undefined) return `${directory}/${id}.sock`;
    rejected.push({ directory, why });
  }
  const reasons = rejected.map(({ directory, why }) => `${directory} ${why}`).join("; ");
  throw refusal("not-ours", `no directory is safe for the host's socket: ${reasons}`);
}

/** The directories that a host with this id would pass over. Creates nothing. */
export function rejectedSocketDirectories(id: string, directories: readonly string[]): RejectedDirectory[] {
  const flaws = directories.map((directory) => ({ directory, why: flawIn(directory, id) }));
  const usable = flaws.findIndex(({ why }) => why === undefined);
  return flaws.slice(0, usable === -1 ? undefined : usable).map(({ directory, why = "" }) => ({ directory, why }));
}

function flawIn(directory: string, id: string): string | undefined {
  const bytes = Buffer.byteLength(`${directory}/${id}.sock`);
  if (bytes > platform.longestSocketPath) {
    return `makes the path too long (${bytes} bytes; the system allows ${platform.longestSocketPath})`;
  }
  const parent = dirname(directory);
  // Our state directory is created when it is missing, the login's is not.
  const isCreated = basename(directory) === nameInState && !existsSync(parent);
  return (isCreated ? undefined : parentFlaw(parent)) ?? directoryFlaw(directory);
}

function parentFlaw(parent: string): string | undefined {
  const stats = statSync(parent, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return `cannot be used: there is no directory ${parent}`;
  if (process.geteuid === undefined) return undefined;
  if (stats.uid !== process.geteuid() && stats.uid !== 0) return `cannot be used: ${parent} is another user's`;
  // In such a directory another user can replace ours.
  const isSticky = (stats.mode & 0o1000) !== 0;
  if ((stats.mode & 0o022) !== 0 && !isSticky) return `cannot be used: other users can change ${parent}`;
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
    return undefined;
  } catch {
    return `cannot be used: ${parent} is not writable`;
  }
}

function failureToMake(directory: string): string | undefined {
  try {
    makeDirectory(directory);
    return undefined;
  } catch (error) {
    return `cannot be used: ${messageOf(error)}`;
  }
}
