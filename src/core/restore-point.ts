import { contextWindow } from "./context-window.ts";
import type { Mark } from "./mark.ts";

export interface RestoreNeed {
  /** The transcript's size now. */
  readonly size: number;
  /** The tokens that the model accepts, when the refusal said so. */
  readonly maximum: number | undefined;
  /** What the last request that was answered carried: then it did fit. */
  readonly accepted: number | null;
  /** Where the last restore of this run went back to: the next one goes to half of that, at most. */
  readonly previous: Mark | undefined;
}

/**
 * The newest mark that leaves half of the context free. Where no mark knows its tokens, the newest of at most half the
 * bytes: a guess, but one that a repeat corrects by going further back.
 */
export function chooseRestorePoint(
  marks: readonly Mark[],
  { size, maximum, accepted, previous }: RestoreNeed,
): Mark | undefined {
  const below = previous?.size ?? size;
  const earlier = marks.filter((mark) => mark.size < below);
  const known = earlier.filter((mark) => mark.contextTokens !== null);
  if (known.length === 0) return newest(earlier.filter((mark) => mark.size <= below / 2));
  // What did not fit the last time, although it should have, says that the window is smaller than it seems.
  const window =
    previous?.contextTokens ?? maximum ?? accepted ?? contextWindow(marks.map((mark) => mark.contextTokens));
  return newest(known.filter((mark) => (mark.contextTokens ?? 0) <= window / 2));
}

// By number: it counts up over all generations, so that the same place marked twice is taken from the later copy.
const newest = (marks: readonly Mark[]): Mark | undefined =>
  marks.reduce<Mark | undefined>((best, mark) => {
    if (!best || mark.size > best.size) return mark;
    return mark.size === best.size && mark.n > best.n ? mark : best;
  }, undefined);
