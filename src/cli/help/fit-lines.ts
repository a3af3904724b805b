/** A narrower column is hard to read: the text then moves to its own line. */
const minColumnWidth = 24;
/** Longer lines are hard to read. */
const maxLineWidth = 130;

/** Wraps text to the terminal: prose flows, and text in a column stays in its column. */
export function fitLines(text: string, columns: number): string[] {
  const width = Math.min(columns, maxLineWidth);
  return paragraphs(text).flatMap((line) => (line.length <= width ? [line] : fitLine(line, width)));
}

/** Joins lines without indentation into paragraphs; keeps each indented line. */
function paragraphs(text: string): string[] {
  const found: string[] = [];
  for (const line of text.split("\n")) {
    const last = found.at(-1);
    const flows = last !== undefined && /^\S/.test(last) && /^\S/.test(line) && !last.endsWith(":");
    if (flows) found[found.length - 1] = `${last} ${line}`;
    else found.push(line);
  }
  return found;
}

function fitLine(line: string, width: number): string[] {
  const [head = "", indent = ""] = /^( *)(?:\S+ )*\S+ {2,}/.exec(line) ?? /^( *)/.exec(line) ?? [];
  const isRoomy = width - head.length >= minColumnWidth;
  const hang = isRoomy ? head.length : indent.length + 4;
  const text = Bun.wrapAnsi(line.slice(head.length), Math.max(1, width - hang), { trim: true }).split("\n");
  const [first = "", ...rest] = text;
  const hanging = " ".repeat(hang);
  if (isRoomy || head === indent) return [`${head}${first}`, ...rest.map((part) => `${hanging}${part}`)];
  return [head.trimEnd(), ...text.map((part) => `${hanging}${part}`)];
}
