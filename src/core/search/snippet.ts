import type { Span } from "./match.ts";

export interface Snippet {
  /** One line. */
  readonly text: string;
  /** What to highlight, as positions in `text`. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}

/** The part of a text with the most different terms, in one line of about `width` characters. */
export function snippetOf(text: string, spans: readonly Span[], width: number): Snippet {
  const [from, to] = chooseRange(text, spans, width);
  let line = from > 0 ? "… " : "";
  const marks: [number, number][] = [];
  let at = from;
  for (const { start, end } of spans) {
    if (start < at || end > to) continue;
    line += flat(text.slice(at, start));
    const begin = line.length;
    line += flat(text.slice(start, end));
    marks.push([begin, line.length]);
    at = end;
  }
  line += flat(text.slice(at, to)).trimEnd();
  return { text: to < text.length ? `${line} …` : line, marks };
}

const flat = (text: string): string => text.replace(/\s+/g, " ");

/** Context before the first match. */
const leadCharacters = 40;

function chooseRange(text: string, spans: readonly Span[], width: number): [number, number] {
  let best = { start: 0, terms: 0 };
  for (const [index, { start }] of spans.entries()) {
    const inside = new Set<number>();
    for (let next = index; next < spans.length; next++) {
      const span = spans[next];
      if (!span || span.end > start + width - leadCharacters) break;
      inside.add(span.term);
    }
    if (inside.size > best.terms) best = { start, terms: inside.size };
  }
  const lead = Math.max(0, best.start - Math.min(leadCharacters, width / 3));
  const from = wordStart(text, Math.min(lead, Math.max(0, text.length - width)), best.start);
  const end = Math.min(text.length, from + width);
  return [from, isInsidePair(text, end) ? end + 1 : end];
}

/** The next beginning of a word, but not after `max`. */
function wordStart(text: string, at: number, max: number): number {
  if (at === 0) return 0;
  const space = text.slice(at, max).search(/\s/);
  const start = space < 0 ? at : at + space + 1;
  return isInsidePair(text, start) ? start - 1 : start;
}

const isInsidePair = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
};
