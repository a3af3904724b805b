import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expressionOf, parseQuery } from "../../../src/core/search/query.ts";
import { IndexError } from "../../../src/store/index/index-error.ts";
import { type FoundChunk, removeIndex, SearchIndex } from "../../../src/store/index/search-index.ts";

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "index-"));
  path = join(directory, "index.sqlite");
});
afterEach(() => rmSync(directory, { recursive: true }));

const source = { session: "s", project: "-p", size: 10, guard: "g", stamp: "1" };
const chunk = (start: number, ...words: string[]): Parameters<SearchIndex["append"]>[0][number]["chunks"][number] => ({
  start,
  length: 10,
  time: 1_000 + start,
  words,
});

function find(index: SearchIndex, query: string): number[] {
  const expression = expressionOf(parseQuery(query), "all");
  return expression ? index.find(expression, {}, 100).map(({ start }: FoundChunk) => start) : [];
}

test("finds the chunks with all words, the last added first, in a private file", () => {
  const index = SearchIndex.open(path);
  index.append([
    { source: { ...source, key: "s" }, chunks: [chunk(0, "one", "two"), chunk(10, "two"), chunk(20, "twofold")] },
  ]);
  expect([find(index, "two"), find(index, "one two"), find(index, "two*"), find(index, "three")]).toEqual([
    [10, 0],
    [0],
    [20, 10, 0],
    [],
  ]);
  for (const name of [path, `${path}-wal`]) expect(statSync(name).mode & 0o777).toBe(0o600);
  index.close();
  const again = SearchIndex.open(path);
  expect(find(again, "two")).toEqual([10, 0]);
  expect(again.sources()).toMatchObject([{ ...source, key: "s" }]);
  again.close();
});

test("filters by time and source, and forgets a dropped source", () => {
  const index = SearchIndex.inMemory();
  index.append([
    { source: { ...source, key: "a" }, chunks: [chunk(0, "word"), chunk(100, "word")] },
    { source: { ...source, key: "b" }, chunks: [chunk(200, "word")] },
  ]);
  const [a, b] = index.sources();
  const expression = { word: "word", isPrefix: false };
  const starts = (filter: Parameters<SearchIndex["find"]>[1]): number[] =>
    index.find(expression, filter, 10).map(({ start }) => start);
  expect(starts({ since: 1_100 })).toEqual([200, 100]);
  expect(starts({ sources: [a?.id ?? 0] })).toEqual([100, 0]);
  index.drop([a?.id ?? 0]);
  expect(starts({})).toEqual([200]);
  expect(index.sources()).toEqual(b ? [b] : []);
  expect(index.wasted()).toBeCloseTo(2 / 3);
  expect(index.isSound()).toBe(true);
  index.close();
});

describe("says why it cannot be opened:", () => {
  const problemOf = (): string | undefined => {
    try {
      SearchIndex.open(path).close();
      return undefined;
    } catch (error) {
      return error instanceof IndexError ? error.problem : String(error);
    }
  };
  test("another program's file", () => {
    writeFileSync(path, "not a database ".repeat(1_000));
    expect(problemOf()).toBe("corrupt");
    removeIndex(path);
    expect(problemOf()).toBeUndefined();
  });
  test("a newer version", () => {
    const database = new Database(path);
    database.run("PRAGMA user_version = 99");
    database.close();
    expect(problemOf()).toBe("newer");
  });
  test("a file in the place of its directory", () => {
    rmSync(directory, { recursive: true });
    writeFileSync(directory, "");
    expect(problemOf()).toContain("cannot make directory");
    rmSync(directory);
    directory = mkdtempSync(join(tmpdir(), "index-"));
  });
});

test("no query can be an error of SQLite", () => {
  const index = SearchIndex.inMemory();
  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 100 }),
    fc
      .array(
        fc.constantFrom('"', "'", "(", ")", "*", "^", ":", "-", "AND", "OR", "NOT", "NEAR(", "{a b}", "\0", "字", " "),
      )
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(hostile, (query) => {
      expect(find(index, query)).toEqual([]);
    }),
    { numRuns: 500 },
  );
  index.close();
});
