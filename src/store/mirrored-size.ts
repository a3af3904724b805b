import { quickFacts, quickText } from "../io/quick-look.ts";
import { packedPath, type SnapshotPaths } from "./snapshot-paths.ts";
import { parseState } from "./snapshot-state.ts";

export interface MirrorLook {
  size: number;
  /** Bytes that no state acknowledges: a kill came between, and the next hook has to look closer. */
  doubtful: boolean;
}

/** How much of the transcript is kept, without reading more than names; only of a packed mirror the state must tell. */
export async function lookAtMirror(paths: SnapshotPaths, sessionId: string): Promise<MirrorLook> {
  const mirror = paths.mirror(sessionId);
  const [plain, state] = await Promise.all([quickFacts(mirror), quickFacts(paths.state(sessionId))]);
  // The state is written after the bytes: one that is older, or missing, does not know of them.
  if (plain) return { size: plain.size, doubtful: !state || state.modified < plain.modified };
  if (!(await quickFacts(packedPath(mirror)))) return { size: 0, doubtful: false };
  const size = parseState((await quickText(paths.state(sessionId))) ?? "", sessionId)?.size ?? 0;
  return { size, doubtful: false };
}
