import type { FileChange } from "./file-change.ts";

/**
 * The order in which changes are carried out. New content comes first, so that a full disk stops a restore before anything is
 * removed. A path that is in the way of a file or of its directory has to go before that file.
 */
export function orderRestore(changes: readonly FileChange[]): FileChange[] {
  const written = changes.filter(({ to }) => to !== undefined);
  const removed = changes.filter(({ to }) => to === undefined);
  const needed = new Set(written.flatMap(({ path }) => [path, ...parentsOf(path)]));
  const taken = new Set(written.map(({ path }) => path));
  const isInTheWay = ({ path }: FileChange): boolean =>
    needed.has(path) || parentsOf(path).some((parent) => taken.has(parent));
  return [
    ...removed.filter(isInTheWay),
    ...written,
    // The deepest first, so that directories become empty from the inside.
    ...removed.filter((change) => !isInTheWay(change)).sort((a, b) => b.path.length - a.path.length),
  ];
}

/** The directories above a path, the nearest first. */
export function parentsOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, parts.length - 1 - at).join("/"));
}
