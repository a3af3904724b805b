import { contextWindow } from "./context-window.ts";
import type { Mark } from "./mark.ts";

const maxMarks = 300;
const protectedNewest = 100;

/**
 * Limits the number of marks, because every new mark rewrites the state file. The newest stay. Of the older ones, the mark that
 * leaves the smallest gap goes first, so that the rest spreads over the whole conversation.
 */
export function thinMarks(marks: readonly Mark[]): Mark[] {
  const kept = [...marks];
  while (kept.length > maxMarks) {
    const index = findLeastUseful(kept);
    if (index === undefined) break;
    kept.splice(index, 1);
  }
  return kept;
}

function findLeastUseful(marks: readonly Mark[]): number | undefined {
  const protectedMark = newestThatFits(marks);
  let best: { index: number; gap: number } | undefined;
  for (let index = 1; index < marks.length - protectedNewest; index++) {
    if (marks[index] === protectedMark) continue;
    const gap = (marks[index + 1]?.size ?? 0) - (marks[index - 1]?.size ?? 0);
    if (!best || gap < best.gap) best = { index, gap };
  }
  return best?.index;
}

/** The newest mark from which a session can continue with half of its context free. */
export function newestThatFits(marks: readonly Mark[], window = contextWindow(marks.map((m) => m.contextTokens))) {
  return marks.findLast((mark) => mark.contextTokens !== null && mark.contextTokens <= window / 2);
}
