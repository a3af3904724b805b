// oxlint-disable no-control-regex
const escapeSequences = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]/g;
// Beside control characters: what turns the order of characters around, and the "tags" that no screen shows but a model reads.
const invisible =
  /[\0-\x08\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

/** One line that says what it shows: no colours, no line breaks, nothing hidden, and no longer than `most` characters. */
export function oneLine(text: string, most: number): string {
  // Cut first, roughly: a prompt may be megabytes.
  const line = text
    .slice(0, most * 8)
    .toWellFormed()
    .replace(escapeSequences, "")
    .replace(/[\s\u2028\u2029]+/g, " ")
    .replace(invisible, "")
    .trim();
  const characters = [...line];
  return characters.length <= most
    ? line
    : `${characters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}
