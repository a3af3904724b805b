import { Failure } from "../../core/failure.ts";
import type { Relocation } from "../../core/rehome/moved-path.ts";
import { identityAt, isDirectory, parentOf, resolveLinks, tidyPath } from "../../io/files/read-file.ts";
import type { Environment } from "../environment.ts";

export interface RehomeRequest {
  readonly from: string;
  readonly to: string;
  /** The old directory may still exist, as after a copy. */
  readonly force: boolean;
}

/**
 * The paths as Claude records them: without links. The old directory itself stays unresolved, because it may be a link to the new
 * one now.
 */
export function resolveMove({ cwd }: Environment, { from, to, force }: RehomeRequest): Relocation {
  const target = tidyPath(to, cwd);
  if (!isDirectory(target)) {
    throw new Failure("not-found", `${target} is not a directory`, {
      hint: "Move the project first; rehome then brings its sessions to it.",
    });
  }
  const old = tidyPath(from, cwd);
  const move = { from: `${resolveLinks(parentOf(old)).replace(/\/$/, "")}/${lastPart(old)}`, to: resolveLinks(target) };
  if (move.from === move.to) throw new Failure("usage", `${old} and ${target} are the same directory`);
  if ([move.from, move.to].some((path) => parentOf(path) === path)) {
    throw new Failure("usage", "the root directory cannot be rehomed");
  }
  if (!force && isDirectory(move.from) && identityAt(move.from) === identityAt(resolveLinks(move.from))) {
    throw new Failure("failed", `${move.from} still exists; nothing was changed`, {
      hint: "Sessions move, they are not copied. Add --force when the project is in the new directory.",
    });
  }
  return move;
}

const lastPart = (path: string): string => path.split(/[\\/]/).at(-1) ?? "";
