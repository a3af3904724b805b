// How text becomes words. The index, the query and the results use the same rules, or they would not find each other.

/** Longer words are hashes and encoded data: their beginning is enough to find them. */
export const maxWordLength = 40;

const separator = 0;
const digit = 1;
const lower = 2;
const upper = 3;
const otherLetter = 4;
/** Scripts without spaces between words: every pair of neighbors is a word. */
const unspaced = 5;
/** Does not start a word, but continues one. */
const mark = 6;

const unspacedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** One class per UTF-16 unit plus one, found when it is first needed; 0 is not known yet. */
const known = new Uint8Array(65_536);

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return (known[unit] || (known[unit] = classOf(unit) + 1)) - 1;
}

function classOf(unit: number): number {
  const character = String.fromCharCode(unit);
  if (unit < 128) {
    if (/[a-z]/.test(character)) return lower;
    if (/[A-Z]/.test(character)) return upper;
    return /\d/.test(character) ? digit : separator;
  }
  // Halves of a character: emoji and rare letters, found as they are.
  if (unit >= 0xd800 && unit <= 0xdfff) return otherLetter;
  if (/\p{M}/u.test(character)) return mark;
  if (unspacedScripts.test(character)) return unspaced;
  if (/[\p{L}\p{N}]/u.test(character)) return /\p{Lu}/u.test(character) ? upper : otherLetter;
  return separator;
}

/** The same word in another case, with other accents or of another width. */
export function foldWord(word: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/^[\0-\x7f]*$/.test(word)) return word.toLowerCase();
  // The compatible form of a character may have signs and spaces, which are never part of a word.
  return word
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^0-9a-z\u0080-\uffff]+/g, "");
}

/**
 * Visits the words of a text, as positions. A word of several parts, as in camelCase, is visited as a whole first, then by its
 * parts; `isPart` tells them apart. A plain word is visited once, as a part.
 */
export function forEachWord(text: string, visit: Visit): void {
  for (let at = 0; at < text.length;) at = visitNext(text, at, visit);
}

/** Visits the word that begins at a position, if one does, and returns where to go on. */
export function visitNext(text: string, at: number, visit: Visit): number {
  const first = kindAt(text, at);
  if (first === separator || first === mark) return text.charCodeAt(at) === escape ? afterEscape(text, at) : at + 1;
  return first === unspaced ? visitPairs(text, at, visit) : visitWord(text, at, visit);
}

const escape = 0x1b;

/** After a terminal's control sequence, whose letters would become a part of the next word. */
function afterEscape(text: string, at: number): number {
  if (text[at + 1] !== "[") return at + 1;
  let end = at + 2;
  while (end < text.length && text.charCodeAt(end) < 0x40) end++;
  return end + 1;
}

export type Visit = (start: number, end: number, isPart: boolean) => void;

const isInWord = (kind: number): boolean => kind !== separator && kind !== unspaced;

const boundaries: number[] = [];

function visitWord(text: string, start: number, visit: Visit): number {
  boundaries.length = 0;
  let before: number = separator;
  let at = start;
  for (; at < text.length; at++) {
    const kind = kindAt(text, at);
    if (!isInWord(kind)) break;
    if (kind === upper && at > start) {
      // fooBar → foo, Bar; HTTPServer → HTTP, Server.
      const next = at + 1 < text.length ? kindAt(text, at + 1) : separator;
      if (before !== upper || next === lower) boundaries.push(at);
    }
    before = kind;
  }
  if (boundaries.length === 0 || at - start > maxWordLength) {
    visit(start, Math.min(at, start + maxWordLength), true);
    return at;
  }
  visit(start, at, false);
  let part = start;
  for (const boundary of boundaries) {
    visit(part, boundary, true);
    part = boundary;
  }
  visit(part, at, true);
  return at;
}

/** AB, BC, CD, and the last one alone, so that each character begins a word. */
function visitPairs(text: string, start: number, visit: Visit): number {
  let at = start;
  for (; at < text.length && isUnspaced(kindAt(text, at)); at++) {
    const hasNext = at + 1 < text.length && isUnspaced(kindAt(text, at + 1));
    visit(at, hasNext ? at + 2 : at + 1, true);
  }
  return at;
}

const isUnspaced = (kind: number): boolean => kind === unspaced || kind === mark;
