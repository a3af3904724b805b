// oxlint-disable no-control-regex
const escapeSequences = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]/g;
// Control characters, characters that reverse the text direction, and the "tags" that a model reads but no screen shows.
const invisible =
  /[\0-\x08\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

/** One line without colors, line breaks and invisible characters, cut to `maxCharacters`. */
export function shortenToLine(text: string, maxCharacters: number): string {
  // Cut roughly first, because a prompt may be megabytes long.
  const line = text
    .slice(0, maxCharacters * 8)
    .toWellFormed()
    .replace(escapeSequences, "")
    .replace(/[\s\u2028\u2029]+/g, " ")
    .replace(invisible, "")
    .trim();
  const characters = [...line];
  return characters.length <= maxCharacters
    ? line
    : `${characters
        .slice(0, maxCharacters - 1)
        .join("")
        .trimEnd()}…`;
}
