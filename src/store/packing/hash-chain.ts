const blockSize = 64 * 1024;

/**
 * A running hash that can be resumed from a few bytes on disk: complete blocks of 64 KiB are chained, the rest
 * is hashed on top. So the hash of a mark covers everything before it, and the next mark costs one block and the new bytes.
 */
export class HashChain {
  #chain: bigint;
  #size: number;
  readonly #block = new Uint8Array(blockSize);
  #filled = 0;

  private constructor(chain: bigint, size: number) {
    this.#chain = chain;
    this.#size = size;
  }

  static empty(): HashChain {
    return new HashChain(0n, 0);
  }

  /** `rest` must be fed again: the bytes from `HashChain.blockStart(size)` to `size`. */
  static resume(chain: string, size: number, rest: Uint8Array): HashChain {
    const resumed = new HashChain(BigInt(`0x${chain}`), HashChain.blockStart(size));
    resumed.feed(rest);
    return resumed;
  }

  static blockStart(size: number): number {
    return size - (size % blockSize);
  }

  feed(bytes: Uint8Array): void {
    let offset = 0;
    while (offset < bytes.length) {
      if (this.#filled === 0 && bytes.length - offset >= blockSize) {
        // A complete block need not be copied first.
        this.#chain = Bun.hash.xxHash3(bytes.subarray(offset, offset + blockSize), this.#chain);
        offset += blockSize;
        continue;
      }
      const take = Math.min(blockSize - this.#filled, bytes.length - offset);
      this.#block.set(bytes.subarray(offset, offset + take), this.#filled);
      this.#filled += take;
      offset += take;
      if (this.#filled === blockSize) {
        this.#chain = Bun.hash.xxHash3(this.#block, this.#chain);
        this.#filled = 0;
      }
    }
    this.#size += bytes.length;
  }

  get size(): number {
    return this.#size;
  }

  /** The hash of the complete blocks: what `resume` needs. */
  get chain(): string {
    return hex(this.#chain);
  }

  /** The hash of everything so far. */
  digest(): string {
    return hex(Bun.hash.xxHash3(this.#block.subarray(0, this.#filled), this.#chain));
  }
}

const hex = (value: bigint): string => value.toString(16).padStart(16, "0");
