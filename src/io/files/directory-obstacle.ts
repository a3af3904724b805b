import { accessSync, constants, statSync, type Stats } from "node:fs";
import { parentOf } from "./read-file.ts";

export interface DirectoryObstacle {
  /** The directory itself, or the parent in which it would be created. */
  readonly path: string;
  /** The owner; undefined when it is not a directory. */
  readonly owner: number | undefined;
}

/** What prevents us from writing into an existing or future directory; undefined when nothing does. */
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
    // Cannot be inspected: its parent decides.
    return undefined;
  }
}
