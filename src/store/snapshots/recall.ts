import { listDirectory } from "../../io/files/read-file.ts";
import { readPastState } from "./past-state.ts";
import { readLatest } from "./read-latest.ts";
import type { SnapshotPaths } from "./snapshot-paths.ts";
import type { SnapshotState } from "./snapshot-state.ts";

// What the other files say about a session whose state is lost.

/** The generations on disk, regardless of the lost state. */
export function recallPast(
  paths: SnapshotPaths,
  sessionId: string,
): Pick<SnapshotState, "past" | "generation" | "count"> {
  const numbers = listDirectory(paths.generations)
    .map((name) =>
      name.startsWith(`${sessionId}.`) ? /^\.(\d+)\.state\.json$/.exec(name.slice(sessionId.length)) : null,
    )
    .flatMap((match) => (match ? [Number(match[1])] : []))
    .sort((a, b) => a - b);
  const ended = numbers.flatMap((number) => readPastState(paths, sessionId, number) ?? []);
  return {
    past: ended.map(({ generation, endedAt, why, size }) => ({ generation, endedAt, why, size })),
    generation: (numbers.at(-1) ?? 0) + 1,
    count: Math.max(0, ...ended.map(({ count }) => count)),
  };
}

/** The last known path of the transcript; empty when it is unknown. */
export function recallPlace(paths: SnapshotPaths, sessionId: string, { past }: SnapshotState): string {
  const latest = readLatest(paths);
  if (latest?.sessionId === sessionId) return latest.jsonlPath;
  return readPastState(paths, sessionId, past.at(-1)?.generation ?? 0)?.transcriptPath ?? "";
}
