/** A list of numbers that grows, eight bytes for each. */
export class NumberList {
  #numbers = new Float64Array(1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(number: number): void {
    if (this.#size === this.#numbers.length) {
      const larger = new Float64Array(this.#size * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#size++] = number;
  }

  /** NaN beyond the end. */
  at(index: number): number {
    return index < this.#size ? (this.#numbers[index] ?? Number.NaN) : Number.NaN;
  }

  /** Sets one that may lie beyond the end; what comes to lie between is filled with -1. */
  set(index: number, number: number): void {
    while (this.#size <= index) this.push(-1);
    this.#numbers[index] = number;
  }
}
