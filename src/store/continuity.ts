import { isSameFile, type OpenFile, sameBytes } from "../io/read-file.ts";
import type { GenerationEnd, SnapshotState } from "./snapshot-state.ts";

const probe = 4096;

/**
 * Does the transcript still begin with what the mirror holds? Costs three small reads while it is the same file:
 * its end, its beginning, and one place that moves on with each mark, so that an edit far back is found in time.
 * A file that was replaced is compared whole, once.
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
  const places = Math.ceil(state.size / probe);
  const wandering = (state.count % places) * probe;
  const unchanged =
    same(Math.max(0, state.size - probe), state.size) &&
    same(0, Math.min(probe, state.size)) &&
    same(wandering, Math.min(wandering + probe, state.size));
  return unchanged ? undefined : "rewritten";
}
