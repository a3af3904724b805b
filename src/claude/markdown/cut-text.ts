export interface TextLimits {
  /** Lines; a longer text loses its middle. */
  lines: number;
  /** Characters of a line. */
  width: number;
}

/** Keeps the beginning and the end of a long text, with a line between them that says how much is left out. */
export function cutText(text: string, { lines: maxLines, width }: TextLimits): string {
  const lines = text.split("\n");
  const cut = (line: string): string => cutLine(line, width);
  if (lines.length <= maxLines) return lines.map(cut).join("\n");
  // An output's result is usually at its end, which therefore gets a third of the lines.
  const tail = Math.floor(maxLines / 3);
  const head = maxLines - tail;
  const missing = `⋯ ${lines.length - maxLines} of ${lines.length} lines left out ⋯`;
  return [...lines.slice(0, head).map(cut), missing, ...lines.slice(lines.length - tail).map(cut)].join("\n");
}

function cutLine(line: string, width: number): string {
  if (line.length <= width) return line;
  // Never between the two halves of a surrogate pair.
  const end = /[\ud800-\udbff]/.test(line[width - 1] ?? "") ? width - 1 : width;
  return `${line.slice(0, end)} ⋯ ${line.length - end} more characters left out ⋯`;
}
