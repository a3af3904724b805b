import { accessSync, constants, lstatSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** A file or directory that this user cannot use, and whose it is. */
export interface DeniedPath {
  readonly path: string;
  readonly owner: number;
  readonly isOwn: boolean;
}

/** Why an operation was refused for lack of permission: the topmost path that denies it. Undefined for other errors. */
export function deniedPathOf(error: unknown): DeniedPath | undefined {
  const { code, path } = (error ?? {}) as { code?: unknown; path?: unknown };
  if (typeof path !== "string" || !(code === "EACCES" || code === "EPERM" || code === "foreign-owner"))
    return undefined;
  return ancestorsOf(path).map(look).find(isDenied);
}

type Look = DeniedPath & { readonly denied: boolean };

const isDenied = (look: Look | undefined): look is Look => look?.denied === true;

/** From the root to the path itself. */
const ancestorsOf = (path: string): string[] =>
  dirname(path) === path ? [path] : [...ancestorsOf(dirname(path)), path];

function look(path: string): Look | undefined {
  try {
    const stats = statSync(path);
    const isOwn = stats.uid === process.geteuid?.();
    return { path, owner: stats.uid, isOwn, denied: !canUse(path, stats.isDirectory()) };
  } catch {
    return undefined;
  }
}

function canUse(path: string, isDirectory: boolean): boolean {
  try {
    accessSync(path, isDirectory ? constants.R_OK | constants.X_OK : constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** The first file or directory below `root` that another user owns; undefined when there is none. */
export function findForeign(root: string): DeniedPath | undefined {
  const own = process.geteuid?.();
  if (own === undefined) return undefined;
  const below = (path: string): DeniedPath | undefined => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) return undefined;
    if (stats.uid !== own) return { path, owner: stats.uid, isOwn: false };
    if (!stats.isDirectory()) return undefined;
    for (const name of readdirSync(path)) {
      const found = below(join(path, name));
      if (found) return found;
    }
    return undefined;
  };
  return below(root);
}
