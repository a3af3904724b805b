import { PointScanner, type ScannedPoints } from "../../claude/transcript/safe-points.ts";
import { TranscriptReader } from "../../claude/transcript/transcript.ts";
import { forEachChunk, withFile } from "../../io/files/read-file.ts";

/** Finds the safe points in the first `size` bytes of a file; undefined when there is no such file. */
export function findPoints(path: string, size = Infinity): ScannedPoints | undefined {
  return withFile(path, (file) => {
    const scanner = new PointScanner();
    const reader = new TranscriptReader((line) => scanner.feed(line));
    forEachChunk(file.fd, 0, Math.min(size, file.size), (bytes) => reader.feed(bytes));
    return scanner.finish();
  });
}
