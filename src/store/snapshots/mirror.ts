import { basename, dirname } from "node:path";
import { removeFile } from "../../io/durable/durable.ts";
import { fileHash } from "../packing/file-hash.ts";
import { packedHash, writePlain } from "../packing/packing.ts";
import type { Generation } from "./session-view.ts";
import { packedPath } from "./snapshot-paths.ts";

/** The hash of the first `size` bytes of a generation, plain or packed; undefined when it is shorter. */
export function mirrorHash({ mirrorPath, packed }: Generation, size: number): string | undefined {
  return packed ? packedHash(packedPath(mirrorPath), packed, size) : fileHash(mirrorPath, size);
}

/** Provides a plain file that starts with the first `size` bytes. A packed one is decoded to a temporary file. */
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
