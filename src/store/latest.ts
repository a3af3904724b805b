import type { Mark } from "../core/mark.ts";
import { replaceFile } from "../io/durable.ts";
import { readText } from "../io/read-file.ts";
import { type Latest, readLatest } from "./read-latest.ts";
import { listSessionIds } from "./session-view.ts";
import { packedPath, type SnapshotPaths } from "./snapshot-paths.ts";
import { parseState, type SnapshotState } from "./snapshot-state.ts";

export function latestOf(paths: SnapshotPaths, state: SnapshotState, mark: Mark): Latest {
  return {
    sessionId: state.sessionId,
    snapshotPath: state.packed ? packedPath(paths.mirror(state.sessionId)) : paths.mirror(state.sessionId),
    jsonlPath: state.transcriptPath,
    snapshotSize: state.size,
    timestamp: new Date(mark.time).toISOString(),
  };
}

/** Brings `latest.json` up to this session's last mark, unless it is there: a kill may have come between the two. */
export function pointTo(paths: SnapshotPaths, state: SnapshotState): void {
  const mark = state.marks.at(-1);
  if (!mark) return;
  const wanted = latestOf(paths, state, mark);
  const present = readLatest(paths);
  const isOwn = present?.sessionId === state.sessionId;
  if (isOwn ? present.snapshotSize === wanted.snapshotSize : present && present.timestamp >= wanted.timestamp) return;
  replaceFile(paths.latest, JSON.stringify(wanted));
}

/** It names the newest of all sessions, also after that one was removed. */
export function pointToNewest(paths: SnapshotPaths): void {
  const marked = listSessionIds(paths).flatMap((sessionId) => {
    const state = parseState(readText(paths.state(sessionId)) ?? "", sessionId);
    const mark = state?.marks.at(-1);
    return state && mark ? [{ state, mark }] : [];
  });
  const newest = marked.sort((a, b) => b.mark.time - a.mark.time)[0];
  if (newest) pointTo(paths, newest.state);
}
