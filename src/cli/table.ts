import { oneLine } from "./one-line.ts";

export interface Column {
  title: string;
  align?: "left" | "right";
  /** It gives way, down to this width, when the terminal is narrow; the last such column first. */
  shrinksTo?: number;
  /** It is left out when even that does not help; the lowest number first. */
  leavesAs?: number;
}

const gap = 2;

/** An aligned table that fits the width; widths are those of the terminal, so wide characters stay in line. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string[] {
  const titles = columns.map((column) => column.title);
  const lines = [titles, ...rows.map((row) => row.map(oneLine))];
  const sized = columns.map((column, index) => {
    const natural = Math.max(...lines.map((line) => displayWidth(line[index] ?? "")));
    return { ...column, index, width: natural, least: Math.min(natural, column.shrinksTo ?? natural) };
  });
  const shown = shrink(leaveOut(sized, width), width);
  return lines.map((line) =>
    shown
      .map((column) => pad(line[column.index] ?? "", column.width, column.align ?? "left"))
      .join(" ".repeat(gap))
      .trimEnd(),
  );
}

interface SizedColumn extends Column {
  index: number;
  width: number;
  least: number;
}

const total = (widths: readonly number[]): number =>
  widths.reduce((sum, each) => sum + each, 0) + gap * (widths.length - 1);

function leaveOut(columns: readonly SizedColumn[], width: number): readonly SizedColumn[] {
  if (total(columns.map(({ least }) => least)) <= width) return columns;
  const first = Math.min(...columns.map(({ leavesAs }) => leavesAs ?? Infinity));
  const left = columns.filter(({ leavesAs }) => leavesAs !== first);
  return left.length === columns.length ? columns : leaveOut(left, width);
}

function shrink(columns: readonly SizedColumn[], width: number): readonly SizedColumn[] {
  let surplus = Math.max(0, total(columns.map((column) => column.width)) - width);
  return columns
    .toReversed()
    .map((column) => {
      const given = Math.min(surplus, column.width - column.least);
      surplus -= given;
      return { ...column, width: column.width - given };
    })
    .toReversed();
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
