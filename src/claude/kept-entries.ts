import { entrySize } from "./scanned-record.ts";
import type { Scanner } from "./scanner.ts";

interface Stretch {
  entries: Int32Array;
  tools: Int32Array;
}

/** What the scanner said of the lines so far, stretch by stretch, for when somebody wants to know after all. */
export class KeptEntries {
  readonly #scanner: Scanner;
  #stretches: Stretch[] = [];
  /** Of lines. */
  count = 0;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  /** The scanner has just looked at as many lines. */
  keep(count: number): void {
    const { words, entries, tools } = this.#scanner;
    const end = entries + count * entrySize;
    // An entry ends with where its tool ids end.
    const toolsEnd = (words[end - 1] ?? 0) / 4;
    this.#stretches.push({ entries: words.slice(entries, end), tools: words.slice(tools, toolsEnd) });
    this.count += count;
  }

  /** Puts back one stretch after the other, as if the scanner had just looked at it, and forgets them. */
  replay(visit: (count: number, isLast: boolean) => void): void {
    const { words, entries, tools } = this.#scanner;
    const stretches = this.#stretches;
    this.#stretches = [];
    this.count = 0;
    for (const [index, stretch] of stretches.entries()) {
      words.set(stretch.entries, entries);
      words.set(stretch.tools, tools);
      visit(stretch.entries.length / entrySize, index === stretches.length - 1);
    }
  }
}
