// oxlint-disable no-control-regex
const lineEnds = /[\t-\r\x85\u2028\u2029]+/g;
// The joiners of emoji and of Persian stay; what turns the order of characters around on the screen does not.
const unprintable = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Words from data (paths, messages, steps) as they may stand within a line of ours: they cannot paint, nor start another. */
export function oneLine(text: string): string {
  return Bun.stripANSI(text).replace(lineEnds, " ").replace(unprintable, "");
}
