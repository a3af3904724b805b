import type { Size } from "./frames.ts";

/** Where nobody is attached, and for terminals that do not know theirs. */
export const usualSize: Size = { columns: 80, rows: 24 };

const smallest = 2;
const largest = 1_000;

/** Some terminals say 0, and a client may say anything. */
export function soundSize({ columns, rows }: Size): Size {
  return { columns: sound(columns, usualSize.columns), rows: sound(rows, usualSize.rows) };
}

function sound(value: number, usual: number): number {
  return value >= 1 ? Math.min(largest, Math.max(smallest, value)) : usual;
}

/** What everybody can see whole: the smallest width and the smallest height. Undefined when nobody looks. */
export function commonSize(sizes: readonly Size[]): Size | undefined {
  if (sizes.length === 0) return undefined;
  return {
    columns: Math.min(...sizes.map(({ columns }) => columns)),
    rows: Math.min(...sizes.map(({ rows }) => rows)),
  };
}

export const isSameSize = (a: Size, b: Size): boolean => a.columns === b.columns && a.rows === b.rows;
