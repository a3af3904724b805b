import { fstatSync, readSync, writeSync } from "node:fs";
import { refusal } from "./durable-error.ts";

/** The bytes [from, to) of an open file (by descriptor) or of an array. */
export type ByteRange = { readonly source: number | Uint8Array; readonly from: number; readonly to: number };

const CHUNK = 256 * 1024;
let chunk: Uint8Array | undefined;

/**
 * Writes the range at the very end of a file that is `size` bytes long, in constant memory.
 * Each chunk is shown to `onChunk` once it is written; the array is reused, so it must not be kept.
 */
export function appendBytes(
  descriptor: number,
  size: number,
  { source, from, to }: ByteRange,
  onChunk?: (bytes: Uint8Array) => void,
): number {
  let end = size;
  for (let position = from; position < to;) {
    const bytes = readChunk(source, position, Math.min(to, position + CHUNK));
    if (bytes.length === 0) throw refusal("short-source", `the source ends at ${position}, not at ${to}`);
    writeAll(descriptor, end, bytes);
    position += bytes.length;
    end += bytes.length;
    onChunk?.(bytes);
  }
  return end;
}

function readChunk(source: number | Uint8Array, from: number, to: number): Uint8Array {
  if (typeof source !== "number") return source.subarray(from, to);
  chunk ??= new Uint8Array(CHUNK);
  return chunk.subarray(0, readSync(source, chunk, 0, to - from, from));
}

function writeAll(descriptor: number, size: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    const count = writeSync(descriptor, bytes, written, bytes.length - written, size + written);
    written += count;
    // A short count is what a nearly full disk gives, and the next call brings its error. A count that
    // the size of the file does not bear out would become a hole of NULs with the next write.
    if (count === 0 || fstatSync(descriptor).size !== size + written) {
      throw refusal("short-write", `the system took ${count} bytes, but the file did not grow by them`);
    }
  }
}
