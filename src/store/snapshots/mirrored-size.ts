import { quickFacts, quickText } from "../../io/files/quick-look.ts";
import { packedPath, type SnapshotPaths } from "./snapshot-paths.ts";
import { parseState } from "./snapshot-state.ts";

export interface MirrorLook {
  size: number;
  /** When it was last written, in milliseconds since 1970. */
  time: number;
  /** Bytes that no state acknowledges: a kill came between, and the next hook must check. */
  doubtful: boolean;
}

/** How many bytes of the transcript are saved, from file sizes alone; only a packed mirror needs the state. */
export async function lookAtMirror(paths: SnapshotPaths, sessionId: string): Promise<MirrorLook> {
  const mirror = paths.mirror(sessionId);
  const [plain, state] = await Promise.all([quickFacts(mirror), quickFacts(paths.state(sessionId))]);
  // The state is written after the bytes: an older or missing state does not know them.
  if (plain) return { size: plain.size, time: plain.modified, doubtful: !state || state.modified < plain.modified };
  if (!(await quickFacts(packedPath(mirror)))) return { size: 0, time: 0, doubtful: false };
  const size = parseState((await quickText(paths.state(sessionId))) ?? "", sessionId)?.size ?? 0;
  return { size, time: 0, doubtful: false };
}

/** Whether the newest bytes are saved without a mark. Reads the state, so it is only for events that mark every new byte. */
export async function hasOpenMark(paths: SnapshotPaths, sessionId: string): Promise<boolean> {
  const state = parseState((await quickText(paths.state(sessionId))) ?? "", sessionId);
  return state?.marks.at(-1)?.open ?? false;
}
