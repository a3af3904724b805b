import { readShellCommands } from "./shell-reader.ts";

const maxDepth = 3;

/**
 * The paths in a script that can lead out of the working directory: absolute ones, and those with `..` or `~`. A path ends
 * before its first pattern or variable. Scripts in quotes, as of `sh -c`, are read as well.
 */
export function findOutsidePaths(script: string, home: string, depth = 0): string[] {
  const commands = depth < maxDepth ? (readShellCommands(script) ?? []) : [];
  const words = commands.flatMap(({ words: all, redirects, input }) => [
    ...all.map(({ text }) => text),
    ...redirects.map(({ target }) => target.text),
    ...(input === undefined ? [] : [input]),
  ]);
  const found = words.flatMap((word) => [
    // `--work-tree=/other` and `of=/other/disk`.
    ...[word, word.slice(word.indexOf("=") + 1)].flatMap((text) => outsidePath(text, home)),
    ...(/\s/.test(word) ? findOutsidePaths(word, home, depth + 1) : []),
  ]);
  return [...new Set(found)];
}

function outsidePath(text: string, home: string): string[] {
  const path = text.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => home).replace(/\/?[^/]*[*?[{$`].*$/s, "");
  if (path.startsWith("/") || path.split("/").includes("..")) return [path];
  return path === "" && text.startsWith("/") ? ["/"] : [];
}

/** The other known workspaces that one of these absolute paths is in, or that are below it. */
export function workspacesMeant(paths: readonly string[], known: readonly string[], own: string | undefined): string[] {
  const isBelow = (path: string, directory: string): boolean => `${path}/`.startsWith(`${directory}/`);
  return known.filter(
    (workspace) => workspace !== own && paths.some((path) => isBelow(path, workspace) || isBelow(workspace, path)),
  );
}
