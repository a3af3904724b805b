import { quickFacts, quickText } from "../io/quick-look.ts";
import { packedPath, type SnapshotPaths } from "./snapshot-paths.ts";
import { parseState } from "./snapshot-state.ts";

/** How much of the transcript is kept, without reading more than names; only of a packed mirror the state must tell. */
export async function mirroredSize(paths: SnapshotPaths, sessionId: string): Promise<number> {
  const mirror = paths.mirror(sessionId);
  const plain = await quickFacts(mirror);
  if (plain) return plain.size;
  if (!(await quickFacts(packedPath(mirror)))) return 0;
  return parseState((await quickText(paths.state(sessionId))) ?? "", sessionId)?.size ?? 0;
}
