import type { Span } from "./match.ts";

export type Role = "user" | "claude" | "tool";

export interface Candidate {
  readonly spans: readonly Span[];
  readonly role: Role;
  readonly textLength: number;
  /** Milliseconds since 1970; undefined when unknown. */
  readonly time: number | undefined;
}

/** What people said counts more than what programs printed. */
const roleWeights: Record<Role, number> = { user: 1.3, claude: 1.15, tool: 1 };
const dayMs = 86_400_000;
/** The age at which recency has lost half of its weight. */
const halfLifeDays = 30;
const recencyWeight = 0.5;

/** A higher score comes first. Texts with more of the query's terms always come before those with fewer. */
export function scoreOf({ spans, role, textLength, time }: Candidate, terms: number, now: number): number {
  const counts = new Map<number, number>();
  for (const { term } of spans) counts.set(term, (counts.get(term) ?? 0) + 1);
  // Each repetition adds less, and less still in a long text.
  const spread = 1 + Math.log10(1 + textLength / 1_000);
  const often = [...counts.values()].reduce((sum, count) => sum + 1 + Math.log2(count) / (4 * spread), 0);
  const relevance = (often / terms / spread + closeness(spans, counts.size)) * roleWeights[role];
  return coverage(counts.size, terms) + relevance + recency(time, now);
}

/** More than everything else together. */
const coverage = (found: number, terms: number): number => (10 * found) / terms;

/** 1.5 when all found terms stand side by side, less when words are between them. */
function closeness(spans: readonly Span[], found: number): number {
  if (found < 2) return 0;
  let best = Infinity;
  const last = new Map<number, Span>();
  for (const span of spans) {
    last.set(span.term, span);
    if (last.size < found) continue;
    const start = Math.min(...[...last.values()].map((each) => each.start));
    const words = [...last.values()].reduce((sum, each) => sum + each.end - each.start + 1, 0);
    best = Math.min(best, Math.max(0, span.end - start - words));
  }
  return 1.5 / (1 + best / 20);
}

function recency(time: number | undefined, now: number): number {
  if (time === undefined) return 0;
  const days = Math.max(0, now - time) / dayMs;
  return recencyWeight * 2 ** (-days / halfLifeDays);
}
