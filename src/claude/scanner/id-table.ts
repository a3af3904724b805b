/**
 * Numbers ids in the order of their first use, and stores one value for each, initially -1. Only a 64-bit hash of an id is kept,
 * so that a transcript of a gigabyte needs a few megabytes. With a million ids the chance of a collision is one in thirty million.
 */
export class IdTable {
  #hashes = new Int32Array(2 * 1024);
  #values = new Int32Array(1024).fill(-1);
  /** Hash table of id numbers with open addressing; -1 is an empty slot. */
  #slots = new Int32Array(2 * 1024).fill(-1);
  #size = 0;
  /** Most ids repeat right away: a parent is the record before, a result follows its call. */
  #last = 0;

  get size(): number {
    return this.#size;
  }

  valueAt(number: number): number {
    return this.#values[number] ?? -1;
  }

  setValue(number: number, value: number): void {
    this.#values[number] = value;
  }

  /** The id's number; a new id gets the next one. */
  intern(id: string): number {
    const [high, low] = hash(id);
    return this.internHash(high, low);
  }

  /** The same for a known hash: assembly/output.ts computes it from bytes, one for each character. */
  internHash(high: number, low: number): number {
    const hashes = this.#hashes;
    const last = this.#last;
    if (hashes[2 * last] === high && hashes[2 * last + 1] === low && last < this.#size) return last;
    const slots = this.#slots;
    const mask = slots.length - 1;
    let at = low & mask;
    for (let number = slots[at] ?? -1; number >= 0; number = slots[at] ?? -1) {
      if (hashes[2 * number] === high && hashes[2 * number + 1] === low) return (this.#last = number);
      at = (at + 1) & mask;
    }
    const number = this.#size++;
    slots[at] = number;
    hashes[2 * number] = high;
    hashes[2 * number + 1] = low;
    if (2 * this.#size === hashes.length) this.#grow();
    return (this.#last = number);
  }

  #grow(): void {
    const hashes = new Int32Array(this.#hashes.length * 4);
    hashes.set(this.#hashes);
    const slots = new Int32Array(this.#slots.length * 4).fill(-1);
    const mask = slots.length - 1;
    for (let number = 0; number < this.#size; number++) {
      let at = (hashes[2 * number + 1] ?? 0) & mask;
      while ((slots[at] ?? -1) >= 0) at = (at + 1) & mask;
      slots[at] = number;
    }
    const values = new Int32Array(this.#values.length * 4).fill(-1);
    values.set(this.#values);
    this.#hashes = hashes;
    this.#slots = slots;
    this.#values = values;
  }
}

const pair: [number, number] = [0, 0];

/** Two lanes of a multiplicative hash, four characters at a time, mixed at the end. The returned array is reused. */
function hash(id: string): readonly [number, number] {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < id.length; index += 4) {
    let word = 0;
    for (let next = index; next < index + 4 && next < id.length; next++) {
      word ^= id.charCodeAt(next) << (8 * (next - index));
    }
    high = Math.imul(high ^ word, 2_654_435_761);
    high ^= high >>> 15;
    low = Math.imul(low ^ word, 1_597_334_677);
    low ^= low >>> 13;
  }
  const mixed = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  const other = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  pair[0] = mixed;
  pair[1] = other;
  return pair;
}
