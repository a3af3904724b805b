import { isUtf8 } from "node:buffer";

/** Byte operations that the runtime does at the speed of memory. */
export const byteTools = {
  /** One character per byte: several times faster than UTF-8, and the structure of JSON is the same. */
  latin1: (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1"),
  isUtf8: (bytes: Uint8Array): boolean => isUtf8(bytes),
  /** 53 bits of xxHash3: as many as a number can hold. */
  hash: (bytes: Uint8Array): number => Number(Bun.hash.xxHash3(bytes) >> 11n),
};
