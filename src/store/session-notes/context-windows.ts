import { makeDirectory, replaceFile } from "../../io/durable/durable.ts";
import { readText } from "../../io/files/read-file.ts";
import type { SnapshotPaths } from "../snapshots/snapshot-paths.ts";

/** `context-windows.json`: the context window of each session in tokens, as Claude's status line named it. */
type Known = Record<string, number>;

const maxSessions = 200;

export function recordedWindow(paths: SnapshotPaths, sessionId: string): number | undefined {
  return read(paths)[sessionId];
}

/** Two sessions may write at once. A lost value is written again with the next status line. */
export function recordWindow(paths: SnapshotPaths, sessionId: string, tokens: number): void {
  const known = read(paths);
  if (known[sessionId] === tokens) return;
  const { [sessionId]: _, ...others } = known;
  const kept = Object.entries(others).slice(1 - maxSessions);
  makeDirectory(paths.root);
  replaceFile(paths.contextWindows, JSON.stringify(Object.fromEntries([...kept, [sessionId, tokens]])));
}

/** An unreadable record counts as empty: the window is then guessed. */
function read(paths: SnapshotPaths): Known {
  try {
    const value: unknown = JSON.parse(readText(paths.contextWindows) ?? "{}");
    const entries = Object.entries(value as object).filter(
      (entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && entry[1] > 0,
    );
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}
