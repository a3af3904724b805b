import { fstatSync, readSync, writeSync } from "node:fs";
import { refusal } from "./durable-error.ts";

/** The bytes [from, to) of an open file (by descriptor) or of an array. */
export type ByteRange = { readonly source: number | Uint8Array; readonly from: number; readonly to: number };

const chunkBytes = 256 * 1024;
let chunk: Uint8Array | undefined;

/**
 * Appends the range to a file that is `size` bytes long, in constant memory.
 * `onChunk` receives each chunk after it is written; the array is reused, so it must not be kept.
 */
export function appendBytes(
  descriptor: number,
  size: number,
  { source, from, to }: ByteRange,
  onChunk?: (bytes: Uint8Array) => void,
): number {
  let end = size;
  for (let position = from; position < to;) {
    const bytes = readChunk(source, position, Math.min(to, position + chunkBytes));
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
  chunk ??= new Uint8Array(chunkBytes);
  return chunk.subarray(0, readSync(source, chunk, 0, to - from, from));
}

function writeAll(descriptor: number, size: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    const count = writeSync(descriptor, bytes, written, bytes.length - written, size + written);
    written += count;
    // A nearly full disk returns a short count, and the next call fails with the error. If the file did not grow
    // by the count, the next write would leave a hole of NULs.
    if (count === 0 || fstatSync(descriptor).size !== size + written) {
      throw refusal("short-write", `the system took ${count} bytes, but the file did not grow by them`);
    }
  }
}
