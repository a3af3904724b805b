import { foldWord, forEachWord } from "./words.ts";

/** What the user searches for: one word, one identifier, or a phrase. */
export interface Term {
  /** As the user wrote it. */
  readonly text: string;
  /** The parts that must follow each other. */
  readonly parts: readonly string[];
  /** The same as one word, as in `getusername` for `getUserName`; absent for a phrase. */
  readonly whole: string | undefined;
  /** The last part only begins so. */
  readonly isPrefix: boolean;
}

export interface Query {
  readonly all: readonly Term[];
  readonly none: readonly Term[];
}

/** More terms, or words in a term, hardly select better, but cost time. */
const maxTerms = 24;
const maxParts = 32;
const maxQueryLength = 4_000;

/** Understands words, "phrases", prefixes (`conf*`) and exclusions (`-word`). Any text is a valid query. */
export function parseQuery(text: string): Query {
  const all: Term[] = [];
  const none: Term[] = [];
  for (const [, minus = "", phrase, word] of text.slice(0, maxQueryLength).matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g)) {
    const term = termOf(phrase ?? word ?? "", phrase !== undefined);
    const terms = minus === "-" ? none : all;
    if (term && terms.length < maxTerms) terms.push(term);
  }
  return { all, none };
}

function termOf(text: string, isPhrase: boolean): Term | undefined {
  const parts: string[] = [];
  const wholes: string[] = [];
  let pieces = 0;
  let end = 0;
  forEachWord(text, (from, to, isPart) => {
    const word = foldWord(text.slice(from, to));
    if (!isPart) wholes.push(word);
    if (from >= end) pieces++;
    end = Math.max(end, to);
    if (isPart && word !== "" && parts.length < maxParts) parts.push(word);
  });
  // The last character of an unspaced script stands alone only at the end of a text.
  if (parts.length > 1 && isTail(parts)) parts.pop();
  const [only] = parts;
  if (only === undefined) return undefined;
  const whole = isPhrase || pieces > 1 ? undefined : (wholes[0] ?? (parts.length === 1 ? only : undefined));
  // One character of an unspaced script is the beginning of a pair.
  const isPrefix = text.endsWith("*") || (parts.length === 1 && isUnspacedCharacter(only));
  return { text, parts, whole, isPrefix };
}

const isTail = (parts: readonly string[]): boolean => {
  const last = parts.at(-1) ?? "";
  return isUnspacedCharacter(last) && (parts.at(-2) ?? "").endsWith(last) && (parts.at(-2) ?? "").length > 1;
};

const isUnspacedCharacter = (text: string): boolean => text.length === 1 && text.charCodeAt(0) > 0x0e00;

/** What an index of single words can tell: nested lists of words, one of each inner `any` and all of each `all`. */
export type WordExpression =
  | { readonly word: string; readonly isPrefix: boolean }
  | { readonly all: readonly WordExpression[] }
  | { readonly any: readonly WordExpression[] };

/** Finds every place that can match; `matchEntry` decides. Undefined for a query without words to find. */
export function expressionOf({ all }: Query, how: "all" | "any"): WordExpression | undefined {
  const terms = all.map(termExpression);
  if (terms.length === 0) return undefined;
  return how === "all" ? { all: terms } : { any: terms };
}

function termExpression({ parts, whole, isPrefix }: Term): WordExpression {
  const each: WordExpression = {
    all: parts.map((word, index) => ({ word, isPrefix: isPrefix && index === parts.length - 1 })),
  };
  return whole === undefined || parts.length === 1 ? each : { any: [{ word: whole, isPrefix }, each] };
}
