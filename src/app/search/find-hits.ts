import type { SearchableEntry, SearchableText } from "../../claude/transcript/searchable.ts";
import { matchText, type Span } from "../../core/search/match.ts";
import { expressionOf, type Query } from "../../core/search/query.ts";
import { type Role, scoreOf } from "../../core/search/rank.ts";
import type { FoundChunk, IndexedSource, SearchIndex } from "../../store/index/search-index.ts";
import { readEntries } from "./read-chunks.ts";
import type { SourceReader } from "./source-reader.ts";

/** A text that matches, and where it is. */
export interface Hit {
  readonly source: IndexedSource;
  readonly chunk: FoundChunk;
  /** Of the line, in the source. */
  readonly offset: number;
  readonly entry: SearchableEntry;
  readonly text: SearchableText;
  readonly time: number | undefined;
  readonly spans: readonly Span[];
  /** How many of the query's terms it has. */
  readonly terms: number;
  readonly score: number;
}

export interface HitFilter {
  readonly role?: Role | undefined;
  /** Milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly isWanted: (source: IndexedSource) => boolean;
  /** Hits of one session; more would hide the other sessions. */
  readonly maxPerSession: number;
}

export interface FoundHits {
  /** The best first. */
  readonly hits: Hit[];
  /** No text has all terms: these have some. */
  readonly isPartial: boolean;
  /** False when the time was over before all candidates were read. */
  readonly isComplete: boolean;
}

/** The newest candidates; a query with more is too general for the rest to matter. */
const maxCandidates = 4_000;
/**
 * Enough to choose the best from, per wanted hit; fewer are enough when many chunks were read. Of several words, how they stand
 * together matters most, and a newer text often has them only by chance.
 */
const enoughOfOneWord = 4;
const enoughOfSeveral = 15;
const manyChunks = 300;
const searchTimeMs = 3_000;

export class HitFinder {
  readonly #index: SearchIndex;
  readonly #reader: SourceReader;
  readonly #query: Query;
  readonly #filter: HitFilter;
  readonly #now: number;
  readonly #sources: ReadonlyMap<number, IndexedSource>;

  constructor(
    { index, sources }: { index: SearchIndex; sources: readonly IndexedSource[] },
    reader: SourceReader,
    query: Query,
    filter: HitFilter,
    now: number,
  ) {
    this.#index = index;
    this.#reader = reader;
    this.#query = query;
    this.#filter = filter;
    this.#now = now;
    this.#sources = new Map(sources.map((source) => [source.id, source]));
  }

  find(limit: number): FoundHits {
    const whole = this.#findBy("all", limit);
    const complete = whole.hits.filter(({ terms }) => terms === this.#query.all.length);
    if (complete.length > 0) return { ...whole, hits: this.#choose(complete, limit), isPartial: false };
    // The words may be spread over neighboring messages, or not all of them exist.
    const some = whole.hits.length > 0 || this.#query.all.length < 2 ? whole : this.#findBy("any", limit);
    return { ...some, hits: this.#choose(some.hits, limit), isPartial: some.hits.length > 0 };
  }

  #findBy(how: "all" | "any", limit: number): Pick<FoundHits, "isComplete"> & { hits: Hit[] } {
    const expression = expressionOf(this.#query, how);
    if (!expression) return { hits: [], isComplete: true };
    const wanted = [...this.#sources.values()].filter(this.#filter.isWanted);
    const sources = wanted.length === this.#sources.size ? undefined : wanted.map(({ id }) => id);
    const chunks = this.#index.find(expression, { since: this.#filter.since, sources }, maxCandidates);
    chunks.sort((one, other) => other.time - one.time);
    const enough = limit * (this.#query.all.length < 2 ? enoughOfOneWord : enoughOfSeveral);
    const until = performance.now() + searchTimeMs;
    const hits: Hit[] = [];
    let good = 0;
    for (const [read, chunk] of chunks.entries()) {
      const found = this.#readChunk(chunk);
      good += found.filter(({ terms }) => terms === this.#query.all.length).length;
      hits.push(...found);
      if (good >= (read < manyChunks ? enough : limit)) break;
      if (performance.now() > until) return { hits, isComplete: false };
    }
    return { hits, isComplete: chunks.length < maxCandidates || good >= limit };
  }

  #readChunk(chunk: FoundChunk): Hit[] {
    const source = this.#sources.get(chunk.source);
    if (!source) return [];
    const entries = this.#reader.open(source.key, (bytes) => readEntries(bytes, chunk.start, chunk.length)) ?? [];
    return entries.flatMap(({ offset, entry }) => {
      const time = entry.time ?? chunk.time;
      if (this.#filter.since !== undefined && time < this.#filter.since) return [];
      return entry.texts.flatMap((text): Hit[] => {
        if (this.#filter.role !== undefined && text.role !== this.#filter.role) return [];
        const spans = matchText(this.#query, text.tool ? `${text.tool}\n${text.text}` : text.text);
        if (!spans || spans.length === 0) return [];
        const terms = new Set(spans.map(({ term }) => term)).size;
        const score = scoreOf(
          { spans, role: text.role, textLength: text.text.length, time },
          this.#query.all.length,
          this.#now,
        );
        return [{ source, chunk, offset, entry, text, time, spans, terms, score }];
      });
    });
  }

  /** The best first, each text once, and not too many of one session. */
  #choose(hits: readonly Hit[], limit: number): Hit[] {
    const seen = new Set<string>();
    const perSession = new Map<string, number>();
    const isPresent = ({ source }: Hit): number => (source.key === source.session ? 1 : 0);
    const chosen: Hit[] = [];
    // Of the same text in several generations, the present one counts.
    for (const hit of hits.toSorted((a, b) => b.score - a.score || isPresent(b) - isPresent(a))) {
      const { session } = hit.source;
      const identity = `${session} ${hit.entry.uuid ?? ""} ${hit.text.kind} ${hit.text.text}`;
      const count = perSession.get(session) ?? 0;
      if (seen.has(identity) || count >= this.#filter.maxPerSession) continue;
      seen.add(identity);
      perSession.set(session, count + 1);
      chosen.push(hit);
      if (chosen.length === limit) break;
    }
    return chosen;
  }
}
