import type { Mark } from "../core/mark.ts";
import { replaceFile } from "../io/durable.ts";
import { fileSize, readText } from "../io/read-file.ts";
import { listSessionIds } from "./session-view.ts";
import type { SnapshotPaths } from "./snapshot-paths.ts";
import { parseState } from "./snapshot-state.ts";
import { latestOf } from "./snapshots.ts";

/** After the session that `latest.json` named was removed: it names the newest of those that are left. */
export function pointToNewest(paths: SnapshotPaths): void {
  if (fileSize(paths.latest) !== undefined) return;
  const marked = listSessionIds(paths).flatMap((sessionId) => {
    const state = parseState(readText(paths.state(sessionId)) ?? "", sessionId);
    const mark: Mark | undefined = state?.marks.at(-1);
    return state && mark ? [{ state, mark }] : [];
  });
  const newest = marked.sort((a, b) => b.mark.time - a.mark.time)[0];
  if (newest) replaceFile(paths.latest, JSON.stringify(latestOf(paths, newest.state, newest.mark)));
}
