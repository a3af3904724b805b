import { fileSize, readText } from "../io/read-file.ts";
import { packedPath } from "./packing.ts";
import type { SnapshotPaths } from "./snapshot-paths.ts";
import { parseState } from "./snapshot-state.ts";

/** How much of the transcript is kept, without reading more than names; only of a packed mirror the state must tell. */
export function mirroredSize(paths: SnapshotPaths, sessionId: string): number {
  const mirror = paths.mirror(sessionId);
  const plain = fileSize(mirror);
  if (plain !== undefined) return plain;
  if (fileSize(packedPath(mirror)) === undefined) return 0;
  return parseState(readText(paths.state(sessionId)) ?? "", sessionId)?.size ?? 0;
}
