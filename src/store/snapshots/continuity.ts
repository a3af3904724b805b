import { isSameFile, type OpenFile, sameBytes } from "../../io/files/read-file.ts";
import type { GenerationEnd, SnapshotState } from "./snapshot-state.ts";

const probeBytes = 4096;

/**
 * Does the transcript still start with the content of the mirror? For an unchanged file this costs three small reads:
 * its end, its start, and one place that advances with each mark, so that an edit far back is found in time.
 * A replaced file is compared completely, once.
 */
export function continuityBreak(
  state: SnapshotState,
  transcriptPath: string,
  transcript: OpenFile,
  mirror: OpenFile,
): GenerationEnd | undefined {
  if (state.size === 0) return undefined;
  if (transcriptPath !== state.transcriptPath && !isSameFile(state.transcriptPath, transcript)) return "moved";
  if (transcript.size < state.size) return "shrunk";
  const same = (from: number, to: number): boolean => sameBytes(transcript.fd, mirror.fd, from, to);
  if (transcript.identity !== state.file) {
    return same(0, state.size) ? undefined : "rewritten";
  }
  const places = Math.ceil(state.size / probeBytes);
  const wandering = (state.count % places) * probeBytes;
  const unchanged =
    same(Math.max(0, state.size - probeBytes), state.size) &&
    same(0, Math.min(probeBytes, state.size)) &&
    same(wandering, Math.min(wandering + probeBytes, state.size));
  return unchanged ? undefined : "rewritten";
}
