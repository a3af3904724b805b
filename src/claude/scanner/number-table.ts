const columns = 4;
const blockBits = 13;
const rowsInBlock = 1 << blockBits;
const inBlock = rowsInBlock - 1;

/** A growing table with four numbers in each row. It grows by blocks, because copying into new memory is what costs most. */
export class NumberTable {
  readonly #blocks: Float64Array[] = [];
  #last = new Float64Array();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(first: number, second: number, third: number, fourth: number): void {
    const at = (this.#size++ & inBlock) * columns;
    if (at === 0) {
      this.#last = new Float64Array(rowsInBlock * columns);
      this.#blocks.push(this.#last);
    }
    const block = this.#last;
    block[at] = first;
    block[at + 1] = second;
    block[at + 2] = third;
    block[at + 3] = fourth;
  }

  /** NaN after the last row. */
  at(row: number, column: number): number {
    return this.#blocks[row >> blockBits]?.[(row & inBlock) * columns + column] ?? Number.NaN;
  }

  /** The row must exist. */
  set(row: number, column: number, number: number): void {
    const block = this.#blocks[row >> blockBits];
    if (block) block[(row & inBlock) * columns + column] = number;
  }
}
