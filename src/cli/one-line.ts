// oxlint-disable no-control-regex
const lineEnds = /[\t-\r\x85\u2028\u2029]+/g;
// Keeps the joiners of emoji and Persian; removes the characters that reverse the text direction.
const unprintable = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Makes foreign text (paths, messages, steps) safe inside one line of ours: no colors, no line breaks, no control characters. */
export function oneLine(text: string): string {
  return Bun.stripANSI(text).replace(lineEnds, " ").replace(unprintable, "");
}
