import { contextWindow } from "./context-window.ts";
import type { Mark } from "./mark.ts";

const most = 300;
const recent = 100;

/**
 * Marks cost little but not nothing: the state file is written at each one. The newest stay, and among the older
 * ones the one goes that leaves the smallest gap, so that what remains is spread over the whole conversation.
 */
export function thinMarks(marks: readonly Mark[]): Mark[] {
  const kept = [...marks];
  while (kept.length > most) {
    const index = leastMissed(kept);
    if (index === undefined) break;
    kept.splice(index, 1);
  }
  return kept;
}

function leastMissed(marks: readonly Mark[]): number | undefined {
  const protectedMark = newestThatFits(marks);
  let best: { index: number; gap: number } | undefined;
  for (let index = 1; index < marks.length - recent; index++) {
    if (marks[index] === protectedMark) continue;
    const gap = (marks[index + 1]?.size ?? 0) - (marks[index - 1]?.size ?? 0);
    if (!best || gap < best.gap) best = { index, gap };
  }
  return best?.index;
}

/** The newest mark that a session can go on from with half its context free. */
export function newestThatFits(marks: readonly Mark[], window = contextWindow(marks.map((m) => m.contextTokens))) {
  return marks.findLast((mark) => mark.contextTokens !== null && mark.contextTokens <= window / 2);
}
