import { forEachChunk, withFile } from "../../io/files/read-file.ts";
import { HashChain } from "./hash-chain.ts";

/** The hash of the first `size` bytes, or of all; undefined when there is no such file or it is shorter. */
export function fileHash(path: string, size?: number): string | undefined {
  return withFile(path, (file) => {
    if (size !== undefined && file.size < size) return undefined;
    const chain = HashChain.empty();
    forEachChunk(file.fd, 0, size ?? file.size, (bytes) => chain.feed(bytes));
    return chain.digest();
  });
}
