import type { Mark } from "./mark.ts";
import { newestThatFits } from "./thin-marks.ts";

export type MarkChoice =
  { kind: "newest" } | { kind: "number"; n: number } | { kind: "fit" } | { kind: "before"; time: number };

const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `3`, `fit`, `10m` (that long ago), `14:05` (the last time the clock showed it). Undefined when it is none of these. */
export function parseMarkChoice(text: string, now: number): MarkChoice | undefined {
  if (text === "fit") return { kind: "fit" };
  if (/^\d{1,9}$/.test(text)) return { kind: "number", n: Number(text) };
  const ago = /^(\d{1,6})([smhd])$/.exec(text);
  if (ago) return { kind: "before", time: now - Number(ago[1]) * (units[ago[2] ?? ""] ?? 0) };
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text);
  if (!clock) return undefined;
  const date = new Date(now);
  date.setHours(Number(clock[1]), Number(clock[2]), 59, 999);
  if (date.getTime() > now + 59_999) date.setDate(date.getDate() - 1);
  return { kind: "before", time: date.getTime() };
}

/** Marks come oldest first, over all generations; `current` are those of the present one. */
export function chooseMark(
  choice: MarkChoice,
  marks: { all: readonly Mark[]; current: readonly Mark[] },
): Mark | undefined {
  switch (choice.kind) {
    case "newest":
      return marks.current.at(-1) ?? marks.all.at(-1);
    case "number":
      return marks.all.find((mark) => mark.n === choice.n);
    case "fit":
      return newestThatFits(marks.current) ?? newestThatFits(marks.all);
    case "before":
      return marks.all.findLast((mark) => mark.time <= choice.time);
  }
}
