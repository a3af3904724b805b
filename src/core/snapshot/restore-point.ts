import { contextWindow } from "./context-window.ts";

/** A place where a conversation can be cut: everything before it is complete, everything after it can be left out. */
export interface SafePoint {
  /** The bytes of the transcript before it. */
  readonly size: number;
  readonly lines: number;
  /** Milliseconds since 1970; null when the transcript does not say. */
  readonly time: number | null;
  /** Tokens of a request that continues here; null when the transcript does not say. */
  readonly tokens: number | null;
  /** Number of the turn, counted from 1; 0 before the first prompt. */
  readonly turn: number;
  /** `turn`: between turns. `step`: after a complete set of tool results. `prompt`: after a prompt without its answer. */
  readonly kind: "turn" | "step" | "prompt";
}

/** A resumed conversation also needs room for the next prompt and its answer. */
const fittingShare = 0.9;

/** What is known about the context window of a session. */
export interface WindowFacts {
  /** The last refusal as too long; the API names its maximum, but not every client records it. */
  readonly refused: { readonly maximum: number | undefined } | undefined;
  /** As Claude's status line named it. */
  readonly recorded: number | undefined;
  /** As the name of the model says. */
  readonly named: number | undefined;
  /** Tokens of the last answered request, which therefore fit. */
  readonly accepted: number | null;
}

/** The real context window in tokens: what the API said, else what the client said, else a guess from what was accepted. */
export function findWindow({ refused, recorded, named, accepted }: WindowFacts): number {
  if (refused?.maximum !== undefined) return refused.maximum;
  const known = recorded ?? named;
  // A session that outgrew a recorded window has changed its model since.
  if (known !== undefined && known >= (accepted ?? 0)) return known;
  // The least that is certain: what was accepted fits.
  if (refused && accepted !== null) return Math.ceil(accepted / fittingShare);
  return contextWindow([accepted]);
}

export interface RestoreNeed {
  /** Context window in tokens. */
  readonly window: number;
  /** Only points with fewer bytes count. */
  readonly below: number;
  /** The point of the previous restore, which the API refused too. */
  readonly previous: Pick<SafePoint, "size" | "tokens"> | undefined;
  /** The user wants no more tokens than this; undefined: as many as fit. */
  readonly maxTokens?: number | undefined;
}

/**
 * The newest point that leaves half of the window free, else the newest that fits. A point after an unanswered prompt counts only
 * when no other one fits. When no point knows its tokens, the newest with at most half of the bytes: a guess that the next restore
 * corrects by going further back.
 */
export function chooseRestorePoint(points: readonly SafePoint[], need: RestoreNeed): SafePoint | undefined {
  const { previous } = need;
  const below = Math.min(need.below, previous?.size ?? Infinity);
  const earlier = points.filter(({ size }) => size < below);
  const known = earlier.filter(({ tokens }) => tokens !== null);
  if (known.length === 0) {
    const whole = Number.isFinite(below) ? below : (points.at(-1)?.size ?? 0);
    return newest(earlier, ({ size }) => size <= whole / 2);
  }
  // If the previous point did not fit, the window is smaller than it seemed.
  const window = Math.min(need.window, previous?.tokens ?? Infinity);
  const within = (share: number) => (point: SafePoint) => (point.tokens ?? Infinity) <= share * window;
  const complete = known.filter(({ kind }) => kind !== "prompt");
  const { maxTokens } = need;
  if (maxTokens !== undefined) return newest(complete, ({ tokens }) => (tokens ?? Infinity) <= maxTokens);
  return newest(complete, within(0.5)) ?? newest(complete, within(fittingShare)) ?? newest(known, within(fittingShare));
}

/** The end of a turn; of an interrupted one, its last complete step. */
export function findTurnEnd(points: readonly SafePoint[], turn: number): SafePoint | undefined {
  const own = points.filter((point) => point.turn === turn);
  return newest(own, ({ kind }) => kind !== "prompt") ?? own.at(-1);
}

// A transcript only grows, so points come in the order of their sizes.
const newest = (points: readonly SafePoint[], isFit: (point: SafePoint) => boolean): SafePoint | undefined =>
  points.findLast(isFit);
