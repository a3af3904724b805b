import type { PromptState } from "../core/continuation.ts";

/**
 * What Claude's terminal interface shows. The rows come without what is dim or reversed: hints, and the cursor that Claude paints
 * itself. The line to type on is the last one that begins with its sign, in a box up to 2.0.
 */
export function readPromptScreen(rows: readonly string[]): PromptState {
  const line = rows.findLast((row) => sign.test(row));
  const isMenu =
    rows.some((row) => row.includes("What do you want to do?")) && line !== undefined && /[>❯]\s*\d\./.test(line);
  if (isMenu) return "menu";
  if (line === undefined) return "unknown";
  const words = (sign.exec(line)?.[1] ?? "").replace(/│\s*$/, "").trim();
  if (words !== "") return "typed";
  return rows.some((row) => waiting.test(row)) ? "waiting" : "empty";
}

const sign = /^\s*(?:│\s*)?[>❯](?:\s(.*))?$/;
const waiting = /continuing automatically at|continue automatically at/;
