// oxlint-disable no-control-regex
const escapeSequences = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]/g;
const lineEnds = /\r\n?|[\u2028\u2029]/g;
// Joiners of emoji and of Persian text stay. Marks that change the text direction do not.
const unprintable = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
/** One quick look spares most texts the replacements below. */
const suspicious = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

/** Removes everything that could control a terminal: colors, cursor movements, direction marks. */
export function plainText(text: string): string {
  if (!suspicious.test(text)) return text;
  return text.replace(escapeSequences, "").replace(lineEnds, "\n").replace(unprintable, "");
}
