import { Database, type Statement } from "bun:sqlite";
import { dirname } from "node:path";
import type { WordExpression } from "../../core/search/query.ts";
import { appendRange, makeDirectory, removeFile } from "../../io/durable/durable.ts";
import { fileSize } from "../../io/files/read-file.ts";
import { guarded, IndexError } from "./index-error.ts";
import { matchExpression } from "./match-expression.ts";

// `index.sqlite` maps words to chunks of files. It holds no text and is a cache: what it says is looked up in the files, and it can
// be removed at any time. So SQLite writes it, and not io/durable.

/** A file of which the index knows the first `size` bytes. */
export interface IndexedSource {
  readonly id: number;
  readonly key: string;
  readonly session: string;
  /** A label to select sources by. */
  readonly project: string;
  readonly size: number;
  /** Tells whether the file still begins with what was indexed. */
  readonly guard: string;
  /** Size and time of the file when it was last looked at: unchanged ones need no other look. */
  readonly stamp: string;
}

/** A stretch of a source, and the distinct words in it. */
export interface NewChunk {
  readonly start: number;
  readonly length: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly words: readonly string[];
}

export interface Addition {
  readonly source: Omit<IndexedSource, "id">;
  readonly chunks: readonly NewChunk[];
}

export interface FoundChunk {
  readonly source: number;
  readonly start: number;
  readonly length: number;
  readonly time: number;
}

export interface ChunkFilter {
  /** Milliseconds since 1970. */
  readonly since?: number | undefined;
  /** Ids; absent means all. */
  readonly sources?: readonly number[] | undefined;
}

/** Changes when the tables or the rules for words change; an older index is built anew. */
const indexVersion = 1;
const busyTimeoutMs = 5_000;
/** Words of one transaction that SQLite sorts in memory: more are written as several lists, which must be merged later. */
const wordBufferBytes = 16_000_000;

const schema = `
  CREATE TABLE sources (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, session TEXT NOT NULL, project TEXT NOT NULL,
    size INTEGER NOT NULL, guard TEXT NOT NULL, stamp TEXT NOT NULL
  );
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL, time INTEGER NOT NULL
  );
  CREATE INDEX chunks_of_source ON chunks (source);
  CREATE VIRTUAL TABLE words USING fts5 (word, content = '', columnsize = 0, detail = none, tokenize = 'ascii');
  INSERT INTO words (words, rank) VALUES ('hashsize', ${wordBufferBytes});
  PRAGMA user_version = ${indexVersion};`;

export class SearchIndex {
  readonly #database: Database;
  /** Read once: many sources take some milliseconds. */
  #sources: readonly IndexedSource[] | undefined;

  private constructor(database: Database) {
    this.#database = database;
  }

  /** Opens the index, and creates it when it is missing or empty. Only the holder of the index lock may create it. */
  static open(path: string): SearchIndex {
    if (fileSize(path) === undefined) {
      makeDirectory(dirname(path), { shared: true });
      // Created here for its mode, which SQLite gives to its other files as well.
      appendRange({ source: new Uint8Array(), from: 0, to: 0, target: path, at: 0 });
    }
    return guarded(() => SearchIndex.#prepare(new Database(path, { readwrite: true, create: false })));
  }

  /** For when no file can be written. */
  static inMemory(): SearchIndex {
    return guarded(() => SearchIndex.#prepare(new Database(":memory:")));
  }

  static #prepare(database: Database): SearchIndex {
    try {
      database.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
      const version = versionOf(database);
      if (version > indexVersion) throw new IndexError("newer", "a newer version wrote the index");
      database.run("PRAGMA journal_mode = WAL");
      // A power cut may undo the last updates, which then are made again; it cannot damage the index.
      database.run("PRAGMA synchronous = NORMAL");
      if (version === 0) database.transaction(() => versionOf(database) === 0 && database.run(schema)).immediate();
      else if (version < indexVersion) throw new IndexError("corrupt", "an older version wrote the index");
      return new SearchIndex(database);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** As they were when first asked for, with the changes of this object. */
  sources(): readonly IndexedSource[] {
    const text = "SELECT id, key, session, project, size, guard, stamp FROM sources";
    return (this.#sources ??= guarded(() => this.#statement(text).all() as IndexedSource[]));
  }

  /** Records the next chunks of sources, and in the same transaction how far each one is indexed. */
  append(additions: readonly Addition[]): void {
    this.#change(() => {
      const setSource = this.#statement(
        `INSERT INTO sources (key, session, project, size, guard, stamp) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (key) DO UPDATE SET
           project = excluded.project, size = excluded.size, guard = excluded.guard, stamp = excluded.stamp
         RETURNING id`,
      );
      const addChunk = this.#statement("INSERT INTO chunks (id, source, start, length, time) VALUES (?, ?, ?, ?, ?)");
      const addWords = this.#statement("INSERT INTO words (rowid, word) VALUES (?, ?)");
      let chunkId = this.#lastChunkId();
      for (const { source, chunks } of additions) {
        const { key, session, project, size, guard, stamp } = source;
        const { id } = setSource.get(key, session, project, size, guard, stamp) as { id: number };
        for (const { start, length, time, words } of chunks) {
          addChunk.run(++chunkId, id, start, length, Math.round(time));
          addWords.run(chunkId, words.join(" "));
        }
      }
    });
  }

  /** Forgets sources. Their words stay behind without a chunk; `wasted` tells how many. */
  drop(ids: readonly number[]): void {
    if (ids.length === 0) return;
    this.#change(() => {
      for (const table of ["chunks WHERE source", "sources WHERE id"])
        this.#statement(`DELETE FROM ${table} IN (SELECT value FROM json_each(?))`).run(JSON.stringify(ids));
    });
  }

  /** The chunks that match, in the reverse order in which they were added. */
  find(expression: WordExpression, { since, sources }: ChunkFilter, limit: number): FoundChunk[] {
    const conditions = ["words MATCH ?"];
    const values: (string | number)[] = [matchExpression(expression)];
    if (since !== undefined) {
      conditions.push("time >= ?");
      values.push(since);
    }
    if (sources !== undefined) {
      conditions.push("source IN (SELECT value FROM json_each(?))");
      values.push(JSON.stringify(sources));
    }
    const text = `SELECT source, start, length, time FROM words CROSS JOIN chunks ON chunks.id = words.rowid
      WHERE ${conditions.join(" AND ")} ORDER BY words.rowid DESC LIMIT ?`;
    return guarded(() => this.#statement(text).all(...values, limit) as FoundChunk[]);
  }

  /** The share of chunks whose source was dropped. */
  wasted(): number {
    return guarded(() => {
      const { kept } = this.#statement("SELECT count(*) AS kept FROM chunks").get() as { kept: number };
      const ever = this.#lastChunkId();
      return ever === 0 ? 0 : 1 - kept / ever;
    });
  }

  /** Reads the whole file. */
  isSound(): boolean {
    return guarded(() => {
      const answer = this.#statement("PRAGMA quick_check(1)").get() as { quick_check: string } | null;
      return answer?.quick_check === "ok";
    });
  }

  close(): void {
    this.#database.close();
  }

  /** Of all chunks ever added. */
  #lastChunkId(): number {
    const { last } = this.#statement("SELECT coalesce(max(seq), 0) AS last FROM sqlite_sequence").get() as {
      last: number;
    };
    return last;
  }

  #statement(text: string): Statement {
    return this.#database.query(text);
  }

  #change<T>(body: () => T): T {
    this.#sources = undefined;
    return guarded(() => this.#database.transaction(body).immediate());
  }
}

const versionOf = (database: Database): number =>
  (database.query("PRAGMA user_version").get() as { user_version: number }).user_version;

/** Removes the index with SQLite's other files; those first, because SQLite would apply them to a new index. */
export function removeIndex(path: string): void {
  for (const each of [`${path}-wal`, `${path}-shm`, path]) removeFile(each);
}
