import { accessSync, constants, statSync, type Stats } from "node:fs";
import { parentOf } from "./read-file.ts";

export interface DirectoryObstacle {
  /** The directory itself, or the one above it in which it would have to be made. */
  readonly path: string;
  /** Whose it is; undefined when it is no directory at all. */
  readonly owner: number | undefined;
}

/** What keeps us from writing into a directory that is there or will be made; undefined when nothing does. */
export function directoryObstacle(path: string): DirectoryObstacle | undefined {
  const found = lookAt(path);
  if (!found) return parentOf(path) === path ? undefined : directoryObstacle(parentOf(path));
  if (!found.isDirectory()) return { path, owner: undefined };
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return undefined;
  } catch {
    return { path, owner: found.uid };
  }
}

function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    // What cannot be looked at is judged by what is above it.
    return undefined;
  }
}
