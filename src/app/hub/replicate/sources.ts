import type { LocalItem } from "../../../core/hub/plan-sending.ts";
import { forEachChunk, type OpenFile, readRange, withFile } from "../../../io/files/read-file.ts";
import { HashChain } from "../../../store/packing/hash-chain.ts";

/** Bytes to replicate. */
export interface Source extends LocalItem {
  read(from: number, to: number): Uint8Array;
}

interface KnownHash {
  readonly identity: string;
  readonly chain: HashChain;
}

const maxKnownHashes = 500;

/** Files as sources. Remembers the hash of each, so that a file that grows costs only its new bytes. */
export class FileSources {
  readonly #known = new Map<string, KnownHash>();

  /** The first `size` bytes of a file; they must not change while it has the same inode. */
  file(name: string, path: string, size: number): Source {
    return {
      name,
      size,
      read: (from, to) => withFile(path, ({ fd }) => readRange(fd, from, to)) ?? new Uint8Array(),
      hashAt: (at) => withFile(path, (file) => (at > file.size ? undefined : this.#hash(path, file, at))),
    };
  }

  #hash(path: string, { fd, identity }: OpenFile, at: number): string {
    const known = this.#known.get(path);
    const chain = known?.identity === identity && known.chain.size <= at ? known.chain : HashChain.empty();
    forEachChunk(fd, chain.size, at, (bytes) => chain.feed(bytes));
    this.#known.delete(path);
    this.#known.set(path, { identity, chain });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= maxKnownHashes) break;
      this.#known.delete(oldest);
    }
    return chain.digest();
  }
}

export const bytesSource = (name: string, content: Uint8Array): Source => ({
  name,
  size: content.length,
  read: (from, to) => content.subarray(from, to),
  hashAt: (at) => {
    if (at > content.length) return undefined;
    const chain = HashChain.empty();
    chain.feed(content.subarray(0, at));
    return chain.digest();
  },
});
