/**
 * Gives each id a number, in the order of first sight. An id is kept as 64 bits of its hash, so that a transcript of a
 * gigabyte needs a few megabytes here; with a million ids the chance of two alike is one in thirty million.
 */
export class IdTable {
  #hashes = new Uint32Array(2 * 1024);
  /** Numbers, by open addressing; -1 where there is none. */
  #slots = new Int32Array(4 * 1024).fill(-1);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The id's number; a new one when it was not seen before. */
  intern(id: string): number {
    const [high, low] = hash(id);
    const found = this.#find(high, low);
    if (found >= 0) return this.#slots[found] ?? 0;
    if (this.#size * 2 >= this.#hashes.length) this.#grow();
    this.#slots[-1 - this.#find(high, low)] = this.#size;
    this.#hashes[2 * this.#size] = high;
    this.#hashes[2 * this.#size + 1] = low;
    return this.#size++;
  }

  /** Where the id is, or, below zero, where it belongs. */
  #find(high: number, low: number): number {
    const mask = this.#slots.length - 1;
    for (let at = low & mask; ; at = (at + 1) & mask) {
      const number = this.#slots[at] ?? -1;
      if (number < 0) return -1 - at;
      if (this.#hashes[2 * number] === high && this.#hashes[2 * number + 1] === low) return at;
    }
  }

  #grow(): void {
    const hashes = new Uint32Array(this.#hashes.length * 2);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    for (let number = 0; number < this.#size; number++) {
      const place = this.#find(hashes[2 * number] ?? 0, hashes[2 * number + 1] ?? 0);
      this.#slots[-1 - place] = number;
    }
  }
}

const pair: [number, number] = [0, 0];

/** Two lanes of a multiplicative hash, mixed at the end; returns one array, used again. */
function hash(id: string): readonly [number, number] {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < id.length; index++) {
    const code = id.charCodeAt(index);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  const mixed = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  const other = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  pair[0] = mixed >>> 0;
  pair[1] = other >>> 0;
  return pair;
}
