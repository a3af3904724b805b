import type { Mark } from "../../core/snapshot/mark.ts";
import { replaceFile } from "../../io/durable/durable.ts";
import { readText } from "../../io/files/read-file.ts";
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

/** Updates `latest.json` to the last mark of this session, if a kill prevented it. */
export function pointTo(paths: SnapshotPaths, state: SnapshotState): void {
  const mark = state.marks.at(-1);
  if (!mark) return;
  const wanted = latestOf(paths, state, mark);
  const present = readLatest(paths);
  const isOwn = present?.sessionId === state.sessionId;
  if (isOwn ? present.snapshotSize === wanted.snapshotSize : present && present.timestamp >= wanted.timestamp) return;
  replaceFile(paths.latest, JSON.stringify(wanted));
}

/** Points to the newest of all sessions, also after that one was removed. */
export function pointToNewest(paths: SnapshotPaths): void {
  const marked = listSessionIds(paths).flatMap((sessionId) => {
    const state = parseState(readText(paths.state(sessionId)) ?? "", sessionId);
    const mark = state?.marks.at(-1);
    return state && mark ? [{ state, mark }] : [];
  });
  const newest = marked.sort((a, b) => b.mark.time - a.mark.time)[0];
  if (newest) pointTo(paths, newest.state);
}
