import { contextWindow } from "./context-window.ts";
import type { Mark } from "./mark.ts";

export interface RestoreNeed {
  /** The transcript's size now. */
  readonly size: number;
  /** The tokens that the model accepts, when the refusal said so. */
  readonly maximum: number | undefined;
  /** Where the last restore of this run went back to: the next one goes further. */
  readonly previous: number | undefined;
}

/**
 * The newest mark that leaves half of the context free. Where no mark knows its tokens, the newest of at most half the
 * bytes: a guess, but one that a repeat corrects by going further back.
 */
export function chooseRestorePoint(marks: readonly Mark[], { size, maximum, previous }: RestoreNeed): Mark | undefined {
  const below = previous ?? size;
  const earlier = marks.filter((mark) => mark.size < below);
  const known = earlier.filter((mark) => mark.contextTokens !== null);
  if (known.length === 0) return newest(earlier.filter((mark) => mark.size <= below / 2));
  const window = maximum ?? contextWindow(marks.map((mark) => mark.contextTokens));
  return newest(known.filter((mark) => (mark.contextTokens ?? 0) <= window / 2));
}

// By number: it counts up over all generations, so that the same place marked twice is taken from the later copy.
const newest = (marks: readonly Mark[]): Mark | undefined =>
  marks.reduce<Mark | undefined>((best, mark) => {
    if (!best || mark.size > best.size) return mark;
    return mark.size === best.size && mark.n > best.n ? mark : best;
  }, undefined);
