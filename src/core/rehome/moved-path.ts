/** A directory that moved: its old and its new path, absolute and without a slash at the end. */
export interface Relocation {
  readonly from: string;
  readonly to: string;
}

const separator = /^[\\/]/;

/** Whether the path is the directory itself or below it. */
export const isWithin = (directory: string, path: string): boolean =>
  path === directory || (path.startsWith(directory) && separator.test(path.slice(directory.length)));

/**
 * Where a path is after the move; undefined when the move does not concern it. When a project moved into its old directory
 * (`work` to `work/main`), a path in the new place is already right.
 */
export function movedPath(path: string, { from, to }: Relocation): string | undefined {
  if (!isWithin(from, path) || (isWithin(from, to) && isWithin(to, path))) return undefined;
  return to + path.slice(from.length);
}

export const reversed = ({ from, to }: Relocation): Relocation => ({ from: to, to: from });
