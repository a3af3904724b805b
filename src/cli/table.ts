import { oneLine } from "./one-line.ts";

export interface Column {
  title: string;
  align?: "left" | "right";
  /** On a narrow terminal it shrinks to this width; the last such column shrinks first. */
  shrinksTo?: number;
  /** Which end of a text that is too long is cut off; default: its end. */
  cuts?: "start";
  /** When shrinking is not enough, it is left out; the lowest number first. */
  leavesAs?: number;
  /** Left out when no row has text in it. */
  mayBeEmpty?: true;
}

const gap = 2;

/** An aligned table that fits the width. Counts terminal cells, so wide characters stay aligned. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string[] {
  const titles = columns.map((column) => column.title);
  const lines = [titles, ...rows.map((row) => row.map(oneLine))];
  const sized = columns.map((column, index) => {
    const natural = Math.max(...lines.map((line) => displayWidth(line[index] ?? "")));
    return { ...column, index, width: natural, minWidth: Math.min(natural, column.shrinksTo ?? natural) };
  });
  const filled = sized.filter(({ mayBeEmpty, index }) => !mayBeEmpty || rows.some((row) => (row[index] ?? "") !== ""));
  const shown = shrink(leaveOut(filled, width), width);
  return lines.map((line) =>
    shown
      .map((column) => pad(line[column.index] ?? "", column))
      .join(" ".repeat(gap))
      .trimEnd(),
  );
}

interface SizedColumn extends Column {
  index: number;
  width: number;
  minWidth: number;
}

const total = (widths: readonly number[]): number =>
  widths.reduce((sum, each) => sum + each, 0) + gap * (widths.length - 1);

function leaveOut(columns: readonly SizedColumn[], width: number): readonly SizedColumn[] {
  if (total(columns.map(({ minWidth }) => minWidth)) <= width) return columns;
  const first = Math.min(...columns.map(({ leavesAs }) => leavesAs ?? Infinity));
  const left = columns.filter(({ leavesAs }) => leavesAs !== first);
  return left.length === columns.length ? columns : leaveOut(left, width);
}

function shrink(columns: readonly SizedColumn[], width: number): readonly SizedColumn[] {
  let surplus = Math.max(0, total(columns.map((column) => column.width)) - width);
  return columns
    .toReversed()
    .map((column) => {
      const given = Math.min(surplus, column.width - column.minWidth);
      surplus -= given;
      return { ...column, width: column.width - given };
    })
    .toReversed();
}

function pad(text: string, { width, align, cuts }: SizedColumn): string {
  const cut = cuts === "start" ? truncateStart(text, width) : truncate(text, width);
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

function truncateStart(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  for (const character of [...text].toReversed()) {
    if (displayWidth(character + kept) > width - 1) break;
    kept = character + kept;
  }
  return `…${kept}`;
}

const displayWidth = (text: string): number => Bun.stringWidth(text);
