export interface Limits {
  /** More lines than this, and the middle of them is left out. */
  lines: number;
  /** Characters of one line. */
  width: number;
}

/** The beginning and the end of a long text, with a line between them that says how much is missing. */
export function cutText(text: string, { lines: most, width }: Limits): string {
  const lines = text.split("\n");
  const cut = (line: string): string => cutLine(line, width);
  if (lines.length <= most) return lines.map(cut).join("\n");
  // The end of an output is where its result is: it gets a third.
  const tail = Math.floor(most / 3);
  const head = most - tail;
  const missing = `⋯ ${lines.length - most} of ${lines.length} lines left out ⋯`;
  return [...lines.slice(0, head).map(cut), missing, ...lines.slice(lines.length - tail).map(cut)].join("\n");
}

function cutLine(line: string, width: number): string {
  if (line.length <= width) return line;
  // Not between the two halves of a character.
  const end = /[\ud800-\udbff]/.test(line[width - 1] ?? "") ? width - 1 : width;
  return `${line.slice(0, end)} ⋯ ${line.length - end} more characters left out ⋯`;
}
