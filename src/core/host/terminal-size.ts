import type { Size } from "./frames.ts";

/** Without an attached client, and for terminals that do not report a size. */
export const defaultSize: Size = { columns: 80, rows: 24 };

const minSide = 2;
const maxSide = 1_000;

/** Some terminals report 0, and a client can send any number. */
export function limitSize({ columns, rows }: Size): Size {
  return { columns: limitSide(columns, defaultSize.columns), rows: limitSide(rows, defaultSize.rows) };
}

function limitSide(value: number, fallback: number): number {
  return value >= 1 ? Math.min(maxSide, Math.max(minSide, value)) : fallback;
}

/** The smallest width and height, so that every client sees the whole screen. Undefined without a client. */
export function commonSize(sizes: readonly Size[]): Size | undefined {
  if (sizes.length === 0) return undefined;
  return {
    columns: Math.min(...sizes.map(({ columns }) => columns)),
    rows: Math.min(...sizes.map(({ rows }) => rows)),
  };
}

export const isSameSize = (a: Size, b: Size): boolean => a.columns === b.columns && a.rows === b.rows;
