import type { Query, Term } from "./query.ts";
import { foldWord, forEachWord } from "./words.ts";

/** Where a term stands in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** The number of the term in the query. */
  readonly term: number;
}

/** Positions of words, as pairs of start and end. */
interface Words {
  /** Parts in order; a plain word is one part. */
  readonly parts: number[];
  /** Words of several parts. */
  readonly wholes: number[];
}

/** More matches in one text change neither its rank nor what is shown. */
const maxSpans = 200;

/** Every place of the query's terms, in the order of the text; undefined when the text has an excluded term. */
export function matchText({ all, none }: Query, text: string): Span[] | undefined {
  if (isHopeless(all, text)) return [];
  const words = readWords(text);
  if (none.some((term) => findTerm(term, text, words, 0, 1).length > 0)) return undefined;
  return all
    .flatMap((term, number) => findTerm(term, text, words, number, maxSpans))
    .sort((one, other) => one.start - other.start);
}

/** A quick look spares most texts the words below: in ASCII, no term can be in a text that lacks its letters. */
function isHopeless(terms: readonly Term[], text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  if (/[^\0-\x1a\x1c-\x7f]/.test(text)) return false;
  const lower = text.toLowerCase();
  return !terms.some(({ parts, whole }) => (whole !== undefined && lower.includes(whole)) || isInOrder(parts, lower));
}

/** Whether the parts follow each other somewhere, with nothing but separators between them. */
function isInOrder(parts: readonly string[], lower: string): boolean {
  const [first = "", ...rest] = parts;
  for (let at = lower.indexOf(first); at >= 0; at = lower.indexOf(first, at + 1)) {
    let end = at + first.length;
    const isComplete = rest.every((part) => {
      while (end < lower.length && !/[a-z0-9]/.test(lower[end] ?? "")) end++;
      const isNext = lower.startsWith(part, end);
      end += part.length;
      return isNext;
    });
    if (isComplete) return true;
  }
  return false;
}

function readWords(text: string): Words {
  const words: Words = { parts: [], wholes: [] };
  forEachWord(text, (start, end, isPart) => void (isPart ? words.parts : words.wholes).push(start, end));
  return words;
}

function findTerm(
  { parts: wanted, whole, isPrefix }: Term,
  text: string,
  words: Words,
  term: number,
  max: number,
): Span[] {
  const { parts, wholes } = words;
  const found: Span[] = [];
  const last = wanted.length - 1;
  for (let at = 0; at + 2 * last < parts.length && found.length < max; at += 2) {
    let step = 0;
    while (step <= last) {
      const mayBegin = isPrefix && step === last;
      if (!isWord(text, parts[at + 2 * step] ?? 0, parts[at + 2 * step + 1] ?? 0, wanted[step] ?? "", mayBegin)) break;
      step++;
    }
    if (step > last) found.push({ start: parts[at] ?? 0, end: parts[at + 2 * last + 1] ?? 0, term });
  }
  if (whole === undefined) return found;
  for (let at = 0; at < wholes.length && found.length < max; at += 2) {
    const [start = 0, end = 0] = [wholes[at], wholes[at + 1]];
    const isFound = found.some((span) => span.start === start && span.end === end);
    if (!isFound && isWord(text, start, end, whole, isPrefix)) found.push({ start, end, term });
  }
  return found;
}

/** Whether the word between two positions is, or begins with, the wanted one. ASCII is compared without making a string. */
function isWord(text: string, start: number, end: number, wanted: string, mayBegin: boolean): boolean {
  const length = end - start;
  for (let at = 0; at < length; at++) {
    let unit = text.charCodeAt(start + at);
    if (unit > 127) {
      const word = foldWord(text.slice(start, end));
      return mayBegin ? word.startsWith(wanted) : word === wanted;
    }
    if (at >= wanted.length) {
      if (mayBegin) return true;
      continue;
    }
    if (unit > 64 && unit < 91) unit |= 32;
    if (unit !== wanted.charCodeAt(at)) return false;
  }
  return length === wanted.length;
}
