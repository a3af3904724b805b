import { oneLine } from "./one-line.ts";

export interface Column {
  title: string;
  align?: "left" | "right";
  /** This one gives way when the terminal is narrow. */
  shrinks?: boolean;
}

const gap = 2;
const least = 8;

/** An aligned table that fits the width; widths are those of the terminal, so wide characters stay in line. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string[] {
  const titles = columns.map((column) => column.title);
  const lines = [titles, ...rows.map((row) => row.map(oneLine))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => displayWidth(line[index] ?? ""))));
  const shrinking = columns.findIndex((column) => column.shrinks);
  const total = widths.reduce((sum, each) => sum + each, 0) + gap * (columns.length - 1);
  if (shrinking >= 0 && total > width) {
    widths[shrinking] = Math.max(least, (widths[shrinking] ?? 0) - (total - width));
  }
  return lines.map((line) =>
    columns
      .map((column, index) => pad(line[index] ?? "", widths[index] ?? 0, column.align ?? "left"))
      .join(" ".repeat(gap))
      .trimEnd(),
  );
}

function pad(text: string, width: number, align: "left" | "right"): string {
  const cut = truncate(text, width);
  const fill = " ".repeat(Math.max(0, width - displayWidth(cut)));
  return align === "right" ? fill + cut : cut + fill;
}

export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  for (const character of text) {
    if (displayWidth(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

const displayWidth = (text: string): number => Bun.stringWidth(text);
