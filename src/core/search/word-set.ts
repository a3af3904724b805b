import { foldWord, forEachWord } from "./words.ts";

const slots = 1 << 17;
const firstHash = 0x811c9dc5;
const hashFactor = 0x01000193;

/**
 * Collects the distinct words of texts. Most words repeat, so a table of hashes decides, before a string is made, whether a
 * word is new. Two words with the same hash would lose one of them: 62 bits make that negligible.
 */
export class WordSet {
  readonly #stamps = new Uint32Array(slots);
  readonly #first = new Int32Array(slots);
  readonly #second = new Int32Array(slots);
  #stamp = 0;
  #words: string[] = [];

  add(text: string): void {
    forEachWord(text, (start, end) => this.#addWord(text, start, end));
  }

  /** The words since the last call. */
  take(): string[] {
    const words = this.#words;
    this.#words = [];
    this.#stamp++;
    return words;
  }

  constructor() {
    this.#stamp = 1;
  }

  #addWord(text: string, start: number, end: number): void {
    let first = firstHash;
    let second = 0;
    for (let at = start; at < end; at++) {
      let unit = text.charCodeAt(at);
      // Upper case of ASCII; other letters are folded when the word is kept.
      if (unit > 64 && unit < 91) unit |= 32;
      first = Math.imul(first ^ unit, hashFactor);
      second = (Math.imul(second, 31) + unit) | 0;
    }
    let slot = (first >>> 3) & (slots - 1);
    while (this.#stamps[slot] === this.#stamp) {
      if (this.#first[slot] === first && this.#second[slot] === second) return;
      slot = (slot + 1) & (slots - 1);
    }
    // A full table keeps every word, which costs space in the index and nothing else.
    if (this.#words.length < slots / 2) {
      this.#stamps[slot] = this.#stamp;
      this.#first[slot] = first;
      this.#second[slot] = second;
    }
    const word = foldWord(text.slice(start, end));
    if (word !== "") this.#words.push(word);
  }
}
