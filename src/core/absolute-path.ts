/** As node's path.resolve would, for the two kinds of path that we are given; the hook does without its module. */
export function absolutePath(path: string, directory: string): string {
  return isAbsolutePath(path) ? path : `${directory}/${path.replace(/^(\.\/)+/, "")}`;
}

export function isAbsolutePath(path: string): boolean {
  return path.startsWith("/") || path.startsWith("\\\\") || /^[A-Za-z]:[\\/]/.test(path);
}
