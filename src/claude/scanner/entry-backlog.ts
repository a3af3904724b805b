import { entrySize, flag } from "./scanned-record.ts";
import type { Scanner } from "./scanner.ts";

interface Batch {
  entries: Int32Array;
  tools: Int32Array;
}

/** The scanner's entries for all lines so far, batch by batch, in case the visitor needs them later. */
export class EntryBacklog {
  readonly #scanner: Scanner;
  #batches: Batch[] = [];
  /** Number of lines. */
  count = 0;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  /** Copies the entries of the lines that the scanner just scanned. */
  add(count: number): void {
    const { words, entries, tools } = this.#scanner;
    const end = entries + count * entrySize;
    // The last word of an entry is the end of its tool ids.
    const toolsEnd = (words[end - 1] ?? 0) / 4;
    this.#batches.push({ entries: words.slice(entries, end), tools: words.slice(tools, toolsEnd) });
    this.count += count;
  }

  /**
   * Whether the conversation may have two branches: a prompt, or another record, continues from a record that already has a
   * prompt or another continuation. Almost every record follows the one before it, so this is quick.
   */
  mayFork(): boolean {
    const parentsOfPrompts = new Set<number>();
    let last = Number.NaN;
    for (const { entries } of this.#batches) {
      for (let at = 0; at < entries.length; at += entrySize) {
        const flags = entries[at + 2] ?? 0;
        if ((flags & (flag.hasUuid | flag.isSidechain)) !== flag.hasUuid) continue;
        const isPrompt = (flags & (flag.isUser | flag.isMeta | flag.hasResults)) === flag.isUser;
        if ((flags & flag.hasParent) !== 0) {
          const parent = keyOf(entries, at + 5);
          if (parent !== last && (isPrompt || parentsOfPrompts.has(parent))) return true;
          if (isPrompt) parentsOfPrompts.add(parent);
        }
        last = keyOf(entries, at + 3);
      }
    }
    return false;
  }

  /** Restores one batch after the other into the scanner's memory, and empties the backlog. */
  replay(visit: (count: number, isLast: boolean) => void): void {
    const { words, entries, tools } = this.#scanner;
    const batches = this.#batches;
    this.#batches = [];
    this.count = 0;
    for (const [index, batch] of batches.entries()) {
      words.set(batch.entries, entries);
      words.set(batch.tools, tools);
      visit(batch.entries.length / entrySize, index === batches.length - 1);
    }
  }
}

/** Two ids may get the same key, which only makes `mayFork` true too often. */
const keyOf = (entries: Int32Array, at: number): number => (entries[at] ?? 0) * 2 ** 32 + (entries[at + 1] ?? 0);
