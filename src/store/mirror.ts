import { basename, dirname } from "node:path";
import { removeFile } from "../io/durable.ts";
import { fileHash } from "./file-hash.ts";
import { packedHash, writePlain } from "./packing.ts";
import type { Generation } from "./session-view.ts";
import { packedPath } from "./snapshot-paths.ts";

/** Of the first `size` bytes of what a generation holds, plain or packed; undefined when there are not as many. */
export function mirrorHash({ mirrorPath, packed }: Generation, size: number): string | undefined {
  return packed ? packedHash(packedPath(mirrorPath), packed, size) : fileHash(mirrorPath, size);
}

/** Lends a plain file that begins with the first `size` bytes. A packed one is decoded aside and stays as it is. */
export function withPlainMirror<T>({ mirrorPath, packed }: Generation, size: number, work: (path: string) => T): T {
  if (!packed) return work(mirrorPath);
  const lent = `${dirname(mirrorPath)}/.${basename(mirrorPath)}.tmp-${process.pid}-0`;
  try {
    writePlain(packedPath(mirrorPath), packed, size, lent);
    return work(lent);
  } finally {
    removeFile(lent);
  }
}
