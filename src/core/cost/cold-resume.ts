import type { WindowUsage } from "../checkpoint/usage.ts";

/** The last request of a conversation, as its transcript records it. */
export interface LastRequest {
  /** Tokens that the next request sends again: all input, and the answer. */
  readonly tokens: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** How long the API keeps the cached prompt. */
  readonly cacheMs: number;
}

/** What was learned from earlier cold resumes. */
export interface CostModel {
  /** Tokens that a cold resume really cost, for each estimated one. */
  readonly ratio: number;
  /** Percent of the five-hour window for each million of such tokens; null when it is not known. */
  readonly percentPerMillion: number | null;
}

export const newCostModel: CostModel = { ratio: 1, percentPerMillion: null };

export interface ColdEstimate {
  readonly tokens: number;
  /** Share of the five-hour window; null when it is not known. */
  readonly percent: number | null;
}

/** What a resume costs when the prompt cache has expired: the whole context is sent again. Undefined while the cache is warm. */
export function estimateColdResume(last: LastRequest, model: CostModel, now: number): ColdEstimate | undefined {
  if (now - last.time < last.cacheMs) return undefined;
  const tokens = Math.round(last.tokens * model.ratio);
  const { percentPerMillion } = model;
  return { tokens, percent: percentPerMillion === null ? null : (tokens * percentPerMillion) / 1_000_000 };
}

export type ColdPolicy = "ask" | "continue" | "restore";
export type ColdChoice = "continue" | "restore" | "ask";

/** What to do before a cold resume. Without a user to ask, it continues: the task was to be finished. */
export function decideColdResume(
  { tokens }: ColdEstimate,
  { maxColdTokens, coldResume, canAsk }: { maxColdTokens: number; coldResume: ColdPolicy; canAsk: boolean },
): ColdChoice {
  if (tokens <= maxColdTokens) return "continue";
  return coldResume === "ask" && !canAsk ? "continue" : coldResume;
}

/** What a cold resume really cost. */
export interface ColdOutcome {
  /** Before the correction by the model. */
  readonly estimated: number;
  /** Tokens that the first request sent without the cache. */
  readonly real: number;
  /** By how much the used share of the five-hour window grew; null when it is not known. */
  readonly percent: number | null;
}

/** By how much the used share of a window grew; null when the two reports are not about one window. A window that has reset began at 0. */
export function usageGrowth(
  before: WindowUsage | undefined,
  after: WindowUsage | undefined,
  now: number,
): number | null {
  if (!before || !after) return null;
  if (before.resetsAt !== null && before.resetsAt <= now) return after.percent;
  return before.resetsAt === after.resetsAt ? after.percent - before.percent : null;
}

/** The newest resume counts a third, so that one odd sample does not spoil the next estimate. */
const newestWeight = 1 / 3;
const maxRatio = 4;

export function learnCost(model: CostModel, { estimated, real, percent }: ColdOutcome): CostModel {
  if (estimated <= 0 || real <= 0) return model;
  const ratio = Math.min(maxRatio, Math.max(1 / maxRatio, real / estimated));
  const sample = percent === null || percent <= 0 ? null : (percent / real) * 1_000_000;
  const known = model.percentPerMillion;
  return {
    ratio: mix(model.ratio, ratio),
    percentPerMillion: sample === null ? known : known === null ? sample : mix(known, sample),
  };
}

const mix = (before: number, sample: number): number => before + (sample - before) * newestWeight;
