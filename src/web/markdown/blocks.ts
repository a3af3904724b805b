import { type Inline, parseInline } from "./inline.ts";

/** A part of a Markdown document. */
export type Block =
  | { readonly kind: "paragraph"; readonly inside: readonly Inline[] }
  | { readonly kind: "heading"; readonly level: number; readonly inside: readonly Inline[] }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: readonly (readonly Block[])[] }
  | { readonly kind: "table"; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  | { readonly kind: "rule" };

const maxDepth = 8;
const fence = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/;
const heading = /^ {0,3}(#{1,6})\s+(.*)$/;
const rule = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const quote = /^ {0,3}> ?/;
const item = /^( {0,3})([-*+]|\d{1,9}[.)])(\s+)/;
const tableRow = /^\s*\|.*\|\s*$/;
const tableLine = /^\s*\|[\s:|-]+\|\s*$/;

/** Reads Markdown into blocks. The result has no HTML, whatever the text is. */
export function parseMarkdown(text: string, depth = 0): Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  let at = 0;
  const takeWhile = (isTaken: (line: string, index: number) => boolean): string[] => {
    const start = at;
    while (at < lines.length && isTaken(lines[at] ?? "", at - start)) at++;
    return lines.slice(start, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? "";
    if (line.trim() === "") {
      at++;
      continue;
    }
    const opened = fence.exec(line);
    if (opened) {
      at++;
      const mark = opened[1] ?? "```";
      const isEnd = (each: string): boolean => new RegExp(`^ {0,3}${mark[0]}{${mark.length},}\\s*$`).test(each);
      const content = takeWhile((each) => !isEnd(each));
      at++;
      blocks.push({ kind: "code", language: opened[2] ?? "", text: content.join("\n") });
      continue;
    }
    const title = heading.exec(line);
    if (title) {
      at++;
      blocks.push({ kind: "heading", level: title[1]?.length ?? 1, inside: parseInline(title[2] ?? "") });
    } else if (rule.test(line)) {
      at++;
      blocks.push({ kind: "rule" });
    } else if (depth < maxDepth && quote.test(line)) {
      const inside = takeWhile((each) => quote.test(each)).map((each) => each.replace(quote, ""));
      blocks.push({ kind: "quote", blocks: parseMarkdown(inside.join("\n"), depth + 1) });
    } else if (depth < maxDepth && item.test(line)) {
      blocks.push(
        readList(
          takeWhile((each, index) => index === 0 || isInList(each)),
          depth,
        ),
      );
    } else if (tableRow.test(line) && tableLine.test(lines[at + 1] ?? "")) {
      const rows = takeWhile((each) => tableRow.test(each)).filter((each) => !tableLine.test(each));
      blocks.push({ kind: "table", rows: rows.map(readRow) });
    } else {
      const text = takeWhile((each, index) => each.trim() !== "" && (index === 0 || !interrupts(each)));
      blocks.push({ kind: "paragraph", inside: parseInline(text.join("\n")) });
    }
  }
  return blocks;
}

const interrupts = (line: string): boolean => [fence, heading, rule, quote, item].some((each) => each.test(line));
const isInList = (line: string): boolean => item.test(line) || /^\s{2,}\S/.test(line);

function readList(lines: readonly string[], depth: number): Block {
  const isOrdered = /^\s*\d/.test(lines[0] ?? "");
  const items: string[][] = [];
  for (const line of lines) {
    const match = item.exec(line);
    if (match && (match[1]?.length ?? 0) < 2) items.push([line.slice(match[0].length)]);
    else items.at(-1)?.push(line.replace(/^ {1,4}/, ""));
  }
  return { kind: "list", isOrdered, items: items.map((each) => parseMarkdown(each.join("\n"), depth + 1)) };
}

const readRow = (line: string): Inline[][] =>
  line
    .trim()
    .slice(1, -1)
    .split("|")
    .map((cell) => parseInline(cell.trim()));
