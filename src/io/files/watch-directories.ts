import { type FSWatcher, watch } from "node:fs";

/** Several files change at once; one call is enough for all of them. */
const gatherMs = 100;

/**
 * Calls the listener after changes in these directories until the returned function is called. Best effort: a directory that
 * does not exist, or a system that cannot watch, causes no calls.
 */
export function watchDirectories(paths: readonly string[], onChange: () => void): () => void {
  let timer: Timer | undefined;
  const gather = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      onChange();
    }, gatherMs);
  };
  const watchers = paths.flatMap((path): FSWatcher[] => {
    try {
      return [watch(path, gather).on("error", () => undefined)];
    } catch {
      return [];
    }
  });
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
