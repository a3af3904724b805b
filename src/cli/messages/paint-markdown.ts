import type { MarkdownBlock } from "../../app/snapshot/view.ts";
import type { Colors } from "../output.ts";

/** Joins the pieces with empty lines, except between a call and its result. */
export function* joinPieces(
  pieces: Iterable<MarkdownBlock>,
  paint: (piece: MarkdownBlock) => string,
): Generator<string> {
  let first = true;
  for (const piece of pieces) {
    yield `${first || piece.tight ? "" : "\n"}${paint(piece)}\n`;
    first = false;
  }
}

/** For a terminal: Markdown with highlighted speakers, wrapped words and dimmed fences. */
export function painter(colors: Colors, width: number): (piece: MarkdownBlock) => string {
  const { bold, dim, red, cyan, green } = colors;
  const lines = (text: string, style: (line: string) => string): string => text.split("\n").map(style).join("\n");
  return ({ style, text }) => {
    switch (style) {
      case "user":
        return bold(green(text));
      case "claude":
        return bold(cyan(text));
      case "call":
        return lines(wrap(text, width), bold);
      case "note":
        return lines(wrap(text, width), dim);
      case "error":
        return lines(wrap(text, width), red);
      case "code":
        return lines(text, (line) => (/^`{3,}/.test(line) ? dim(line) : line));
      case "text":
        return wrap(text, width);
    }
  };
}

/** Wraps prose only, since code and tables depend on their lines. Continued list items and quotes are indented. */
function wrap(text: string, width: number): string {
  let fence: string | undefined;
  return text
    .split("\n")
    .map((line) => {
      const marks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (marks !== undefined) fence = fence === undefined ? marks : marks.startsWith(fence) ? undefined : fence;
      if (fence !== undefined || marks !== undefined || /^\s*\|/.test(line)) return line;
      const start = /^\s*(?:>\s?|[-*+]\s|\d+[.)]\s)*/.exec(line)?.[0] ?? "";
      const space = Math.max(20, width - start.length);
      const hang = start.replace(/[^>\s]/g, " ");
      return (
        start +
        Bun.wrapAnsi(line.slice(start.length), space, { wordWrap: true, trim: true }).split("\n").join(`\n${hang}`)
      );
    })
    .join("\n");
}
