import { isUtf8 } from "node:buffer";

/** What the runtime does to bytes at the speed of memory. */
export const byteTools = {
  isUtf8: (bytes: Uint8Array): boolean => isUtf8(bytes),
  /** 53 bits of xxHash3: as many as a number holds. */
  hash: (bytes: Uint8Array): number => Number(Bun.hash.xxHash3(bytes) >> 11n),
};
