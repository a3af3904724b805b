import { appendRange } from "../../io/durable/durable.ts";
import { readRange, withFile } from "../../io/files/read-file.ts";
import type { Packed } from "../snapshots/snapshot-state.ts";

/** Only one frame is in memory at a time, so the size of the mirror does not matter. */
export const frameSize = 4 * 1024 * 1024;
/** Higher levels hardly make transcripts smaller. */
const compressionLevel = 6;

/** Compresses the first `size` bytes into `target` and replaces its content; synced when it returns. */
export function writePacked(source: string, size: number, target: string): Packed {
  const frames: number[] = [];
  let at = 0;
  withFile(source, ({ fd }) => {
    for (let from = 0; from < size; from += frameSize) {
      const raw = readRange(fd, from, Math.min(size, from + frameSize));
      const bytes = Bun.zstdCompressSync(raw, { level: compressionLevel });
      at = appendRange({ source: bytes, from: 0, to: bytes.length, target, at });
      frames.push(bytes.length);
    }
  });
  return { frame: frameSize, frames };
}

/**
 * Visits the first `size` raw bytes, as far as they can be decoded, and returns their number: less than `size` when the
 * file is missing, short or damaged. Only a hash can tell whether they are correct.
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

/** The raw bytes [from, to), as far as they can be decoded. Decodes only the frames that it needs. */
export function readUnpacked(fd: number, { frame, frames }: Packed, from: number, to: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const [index, length] of frames.entries()) {
    const start = index * frame;
    if (start >= to) break;
    if (start + frame > from) {
      const raw = decode(readRange(fd, at, at + length));
      if (raw === undefined) break;
      parts.push(raw.subarray(Math.max(0, from - start), Math.max(0, to - start)));
    }
    at += length;
  }
  const [only] = parts;
  return parts.length === 1 && only ? only : Buffer.concat(parts);
}
