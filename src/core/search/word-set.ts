import { foldWord, maxWordLength, type Visit, visitNext } from "./words.ts";

/** More than the words of one chunk; small, so that the table stays in the processor's cache. */
const slots = 1 << 14;
const maxUsedSlots = slots / 2;
/** Per slot: the number of the set, and two hashes. */
const slotSize = 4;
const firstHash = 0x811c9dc5;
const hashFactor = 0x01000193;

/**
 * Collects the distinct words of texts. Most words repeat, so a table of hashes decides, before a string is made, whether a
 * word is new. Two words with the same hashes would lose one of them: 64 bits make that negligible.
 */
export class WordSet {
  readonly #table = new Int32Array(slots * slotSize);
  #set = 1;
  #words: string[] = [];

  add(text: string): void {
    const visit: Visit = (start, end) => this.#addAny(text, start, end);
    const { length } = text;
    let at = 0;
    while (at < length) {
      const next = this.#addPlain(text, at);
      at = next > at ? next : visitNext(text, at, visit);
    }
  }

  /** The words since the last call. */
  take(): string[] {
    const words = this.#words;
    this.#words = [];
    this.#set++;
    return words;
  }

  /**
   * Adds the word that begins here and returns its end, for speed: most words are ASCII without inner capitals. Returns `start`
   * for anything else, which `visitNext` knows.
   */
  #addPlain(text: string, start: number): number {
    let first = firstHash;
    let second = 0;
    let at = start;
    let unit = text.charCodeAt(at);
    const isCapital = unit > 64 && unit < 91;
    if (isCapital) {
      first = Math.imul(first ^ (unit | 32), hashFactor);
      second = unit | 32;
      at++;
    }
    for (; at < text.length; at++) {
      unit = text.charCodeAt(at);
      if (!((unit > 96 && unit < 123) || (unit > 47 && unit < 58))) {
        if (unit > 127 || (unit > 64 && unit < 91)) return start;
        break;
      }
      first = Math.imul(first ^ unit, hashFactor);
      second = (Math.imul(second, 31) + unit) | 0;
    }
    if (at - start > maxWordLength) return start;
    if (at > start && this.#isNew(first, second)) {
      const word = text.slice(start, at);
      this.#words.push(isCapital ? word.toLowerCase() : word);
    }
    return at;
  }

  #addAny(text: string, start: number, end: number): void {
    let first = firstHash;
    let second = 0;
    for (let at = start; at < end; at++) {
      let unit = text.charCodeAt(at);
      if (unit > 64 && unit < 91) unit |= 32;
      first = Math.imul(first ^ unit, hashFactor);
      second = (Math.imul(second, 31) + unit) | 0;
    }
    if (!this.#isNew(first, second)) return;
    const word = foldWord(text.slice(start, end));
    if (word !== "") this.#words.push(word);
  }

  #isNew(first: number, second: number): boolean {
    const table = this.#table;
    let slot = ((first ^ (first >>> 15)) & (slots - 1)) * slotSize;
    while (table[slot] === this.#set) {
      if (table[slot + 1] === first && table[slot + 2] === second) return false;
      slot = (slot + slotSize) & (slots * slotSize - 1);
    }
    // A full table calls every word new, which costs space in the index and nothing else.
    if (this.#words.length < maxUsedSlots) {
      table[slot] = this.#set;
      table[slot + 1] = first;
      table[slot + 2] = second;
    }
    return true;
  }
}
