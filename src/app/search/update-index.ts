import { messageOf } from "../../core/message-of.ts";
import { IndexError } from "../../store/index/index-error.ts";
import type { Addition, IndexedSource, NewChunk, SearchIndex } from "../../store/index/search-index.ts";
import type { Environment } from "../environment.ts";
import { listSources, type Source } from "./list-sources.ts";
import { readChunks } from "./read-chunks.ts";
import { type SourceBytes, SourceReader } from "./source-reader.ts";

export interface UpdateOptions {
  /** Also looks for sources that are gone; takes longer. */
  readonly all?: boolean;
  /** Reading the index failed: it is built anew. */
  readonly isDamaged?: boolean;
  /** Bytes of files that are indexed, and that must be. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** One transaction covers about as many bytes of text: SQLite is fast with large ones, and a kill costs only the last one. */
const batchBytes = 24_000_000;

/** Adds what is new since the last update. The caller holds the index lock. Returns a sentence for each source that failed. */
export function updateIndex(environment: Environment, index: SearchIndex, options: UpdateOptions = {}): string[] {
  const known = new Map(index.sources().map((source) => [source.key, source]));
  const sources = listSources(environment, { all: options.all === true });
  const changed = sources.filter((source) => known.get(source.key)?.stamp !== stampOf(source));
  if (options.all) {
    const present = new Set(sources.map(({ key }) => key));
    index.drop([...known.values()].filter(({ key }) => !present.has(key)).map(({ id }) => id));
  }
  return new Update(environment, index, known, options).add(changed);
}

const stampOf = ({ path, bytes, modified }: Source): string => `${bytes}:${modified}:${path}`;

class Update {
  readonly #reader: SourceReader;
  readonly #index: SearchIndex;
  readonly #known: ReadonlyMap<string, IndexedSource>;
  readonly #options: UpdateOptions;
  #batch: Addition[] = [];
  #batchBytes = 0;
  #done = 0;
  #total = 0;

  constructor(
    environment: Environment,
    index: SearchIndex,
    known: ReadonlyMap<string, IndexedSource>,
    options: UpdateOptions,
  ) {
    this.#reader = new SourceReader(environment);
    this.#index = index;
    this.#known = known;
    this.#options = options;
  }

  add(sources: readonly Source[]): string[] {
    const problems: string[] = [];
    const sizeOf = ({ key, bytes }: Source): number => Math.max(0, bytes - (this.#known.get(key)?.size ?? 0));
    this.#total = sources.reduce((sum, source) => sum + sizeOf(source), 0);
    let before = 0;
    for (const source of sources) {
      try {
        // A copy of the object: a live file grows, but its size counts as it is now.
        this.#reader.open(source.key, (bytes) => this.#addSource(source, { ...bytes }));
      } catch (error) {
        // A full disk stops everything; a file that cannot be read does not.
        if (error instanceof IndexError) throw error;
        problems.push(`${source.path}: ${messageOf(error)}`);
      }
      before += sizeOf(source);
      this.#done = before;
      this.#report();
    }
    this.#flush();
    return problems;
  }

  #addSource(source: Source, bytes: SourceBytes): void {
    const known = this.#known.get(source.key);
    const continues = known !== undefined && known.size <= bytes.size && guardOf(bytes, known.size) === known.guard;
    if (known && !continues) this.#index.drop([known.id]);
    let size = continues ? known.size : 0;
    let chunks: NewChunk[] = [];
    const flushChunks = (): void => {
      this.#batch.push({ source: { ...this.#row(source), size, guard: guardOf(bytes, size), stamp: "" }, chunks });
      chunks = [];
      this.#flush();
    };
    for (const chunk of readChunks(bytes, size, source.modified)) {
      chunks.push(chunk);
      size = chunk.start + chunk.length;
      this.#batchBytes += chunk.length;
      this.#done += chunk.length;
      if (this.#batchBytes < batchBytes) continue;
      // Ends before a line feed, so that the next part begins with an empty line.
      flushChunks();
      this.#report();
    }
    const row = { ...this.#row(source), size: bytes.size, guard: guardOf(bytes, bytes.size), stamp: stampOf(source) };
    this.#batch.push({ source: row, chunks });
  }

  #row({ key, session, project }: Source): Pick<IndexedSource, "key" | "session" | "project"> {
    return { key, session, project };
  }

  #report(): void {
    this.#options.onProgress?.(Math.min(this.#done, this.#total), this.#total);
  }

  #flush(): void {
    const batch = this.#batch;
    this.#batch = [];
    this.#batchBytes = 0;
    if (batch.length > 0) this.#index.append(batch);
  }
}

const guardBytes = 4_096;

/** Recognizes the first `size` bytes by their beginning and their end. */
function guardOf(bytes: SourceBytes, size: number): string {
  const begin = bytes.read(0, Math.min(size, guardBytes));
  const end = bytes.read(Math.max(0, size - guardBytes), size);
  return `${Bun.hash.xxHash3(begin).toString(16)}-${Bun.hash.xxHash3(end).toString(16)}`;
}
