import type { Query, Term } from "./query.ts";
import { foldWord, forEachWord } from "./words.ts";

/** Where a term stands in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** The number of the term in the query. */
  readonly term: number;
}

interface Words {
  /** Parts in order; a plain word is one part. */
  readonly parts: { text: string; start: number; end: number }[];
  /** Words of several parts. */
  readonly wholes: { text: string; start: number; end: number }[];
}

/** More matches in one text change neither its rank nor what is shown. */
const maxSpans = 200;

/** Every place of the query's terms, in the order of the text; undefined when the text has an excluded term. */
export function matchText({ all, none }: Query, text: string): Span[] | undefined {
  const words = readWords(text);
  if (none.some((term) => findTerm(term, words, 0, 1).length > 0)) return undefined;
  return all
    .flatMap((term, number) => findTerm(term, words, number, maxSpans))
    .sort((one, other) => one.start - other.start);
}

function readWords(text: string): Words {
  const words: Words = { parts: [], wholes: [] };
  forEachWord(text, (start, end, isPart) => {
    (isPart ? words.parts : words.wholes).push({ text: foldWord(text.slice(start, end)), start, end });
  });
  return words;
}

function findTerm(
  { parts: wanted, whole, isPrefix }: Term,
  { parts, wholes }: Words,
  term: number,
  max: number,
): Span[] {
  const found: Span[] = [];
  const last = wanted.length - 1;
  const isSame = (text: string, word: string, mayBegin: boolean): boolean =>
    mayBegin ? text.startsWith(word) : text === word;
  for (let at = 0; at + last < parts.length && found.length < max; at++) {
    let step = 0;
    while (step <= last && isSame(parts[at + step]?.text ?? "", wanted[step] ?? "", isPrefix && step === last)) step++;
    if (step > last) found.push({ start: parts[at]?.start ?? 0, end: parts[at + last]?.end ?? 0, term });
  }
  if (whole === undefined) return found;
  for (const each of wholes) {
    if (found.length >= max) break;
    const isFound = found.some(({ start, end }) => start === each.start && end === each.end);
    if (!isFound && isSame(each.text, whole, isPrefix)) found.push({ start: each.start, end: each.end, term });
  }
  return found;
}
