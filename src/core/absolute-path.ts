/** Like node's path.resolve for the paths that Claude gives; the hook does not load that module. */
export function absolutePath(path: string, directory: string): string {
  return isAbsolutePath(path) ? path : `${directory}/${path.replace(/^(\.\/)+/, "")}`;
}

export function isAbsolutePath(path: string): boolean {
  return path.startsWith("/") || path.startsWith("\\\\") || /^[A-Za-z]:[\\/]/.test(path);
}
