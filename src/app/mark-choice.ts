import { type MarkChoice, parseMarkChoice } from "../core/choose-mark.ts";
import { Failure } from "../core/failure.ts";

export function markChoice(text: string | undefined, now: number): MarkChoice {
  if (text === undefined) return { kind: "newest" };
  const choice = parseMarkChoice(text, now);
  if (choice) return choice;
  throw new Failure("usage", `"${text}" is no mark: give a number, a time ago (10m, 2h), a clock time (14:05) or fit`);
}
