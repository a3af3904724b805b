import type { Mark } from "./mark.ts";
import type { SafePoint } from "./restore-point.ts";

/** One of the saved marks. */
export type MarkChoice = { kind: "newest" } | { kind: "number"; n: number } | { kind: "before"; time: number };

/** Any point of the conversation. */
export type PointChoice =
  | { kind: "turn"; turn: number }
  /** `overload`: the whole conversation does not fit, and neither does `previous`. */
  | {
      kind: "fit";
      overload?: { previous: Pick<SafePoint, "size" | "tokens"> | undefined };
      /** No more tokens than this; undefined: as many as fit. */
      maxTokens?: number;
    };

export type RestoreChoice = MarkChoice | PointChoice;

const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `3`, `t12`, `fit`, `10m` (that long ago) or `14:05` (the last such time). Returns undefined for any other text. */
export function parseChoice(text: string, now: number): RestoreChoice | undefined {
  if (text === "fit") return { kind: "fit" };
  const turn = /^t(?:urn ?)?(\d{1,9})$/.exec(text);
  if (turn) return { kind: "turn", turn: Number(turn[1]) };
  if (/^\d{1,9}$/.test(text)) return { kind: "number", n: Number(text) };
  const ago = /^(\d{1,6})([smhd])$/.exec(text);
  if (ago) return { kind: "before", time: now - Number(ago[1]) * (unitMs[ago[2] ?? ""] ?? 0) };
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text);
  if (!clock) return undefined;
  const date = new Date(now);
  date.setHours(Number(clock[1]), Number(clock[2]), 59, 999);
  if (date.getTime() > now + 59_999) date.setDate(date.getDate() - 1);
  return { kind: "before", time: date.getTime() };
}

/** Marks come oldest first. `all` spans all generations, `current` the present one. */
export function chooseMark(
  choice: MarkChoice,
  marks: { all: readonly Mark[]; current: readonly Mark[] },
): Mark | undefined {
  switch (choice.kind) {
    case "newest":
      return marks.current.at(-1) ?? marks.all.at(-1);
    case "number":
      return marks.all.find((mark) => mark.n === choice.n);
    case "before":
      return marks.all.findLast((mark) => mark.time <= choice.time);
  }
}
