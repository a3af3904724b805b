import { appendRange } from "../io/durable.ts";
import { readRange, withFile } from "../io/read-file.ts";
import type { Packed } from "./snapshot-state.ts";

/** One frame is in memory at a time, so a large mirror costs no more than a small one. */
export const frameSize = 4 * 1024 * 1024;
/** Beyond it, transcripts hardly get smaller. */
const level = 6;

/** Compresses the first `size` bytes into `target`, whatever that was before; synced when it returns. */
export function writePacked(source: string, size: number, target: string): Packed {
  const frames: number[] = [];
  let at = 0;
  withFile(source, ({ fd }) => {
    for (let from = 0; from < size; from += frameSize) {
      const raw = readRange(fd, from, Math.min(size, from + frameSize));
      const bytes = Bun.zstdCompressSync(raw, { level });
      at = appendRange({ source: bytes, from: 0, to: bytes.length, target, at });
      frames.push(bytes.length);
    }
  });
  return { frame: frameSize, frames };
}

/**
 * Visits the first `size` raw bytes, as far as they can be decoded, and returns how many there were: fewer when the
 * file is missing, short or damaged. Whether they are the right ones only a hash can tell.
 */
export function forEachUnpacked(
  path: string,
  { frames }: Packed,
  size: number,
  visit: (bytes: Uint8Array) => void,
): number {
  const visited = withFile(path, ({ fd }) => {
    let at = 0;
    let done = 0;
    for (const length of frames) {
      if (done >= size) break;
      const raw = decode(readRange(fd, at, at + length));
      if (raw === undefined) break;
      const wanted = raw.subarray(0, size - done);
      visit(wanted);
      done += wanted.length;
      at += length;
    }
    return done;
  });
  return visited ?? 0;
}

function decode(bytes: Uint8Array): Uint8Array | undefined {
  try {
    return Bun.zstdDecompressSync(bytes);
  } catch {
    return undefined;
  }
}
