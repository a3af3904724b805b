const longestName = 40;

/** A service's name: the end of its workspace's path for people, and a hash of all of it, so that two never share one. */
export function serviceSlug(workspace: string, hash: (text: string) => string): string {
  const base = workspace.split(/[\\/]/).findLast((part) => part !== "") ?? "";
  const readable = base
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, longestName)
    .replace(/^-+|-+$/g, "");
  return `${readable || "workspace"}-${hash(workspace).slice(0, 10)}`;
}

/** Nothing in it is special to any shell, unit, path or markup. */
export const isServiceSlug = (text: string): boolean => /^[a-z0-9]+(-[a-z0-9]+)+$/.test(text) && text.length <= 60;
