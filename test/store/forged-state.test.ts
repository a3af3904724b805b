import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readPastState } from "../../src/store/snapshots/past-state.ts";
import { SnapshotPaths } from "../../src/store/snapshots/snapshot-paths.ts";
import { parseState } from "../../src/store/snapshots/snapshot-state.ts";

const mark = {
  n: 3,
  time: 1_794_900_000_000,
  reason: "Stop",
  size: 900,
  lines: 9,
  contextTokens: 5,
  lastStep: "x",
  hash: "a",
};
const past = { generation: 1, endedAt: 1_794_900_000_000, why: "shrunk", size: 700 };
const state = {
  version: 1,
  sessionId: "s",
  generation: 2,
  transcriptPath: "/t",
  cwd: "/c",
  file: "1:2",
  size: 900,
  lines: 9,
  chain: "0",
  count: 3,
  marks: [mark],
  past: [past],
  packed: { frame: 500, frames: [40, 30] },
};

const parse = (value: unknown): unknown => parseState(JSON.stringify(value), "s");

test("accepts what the engine wrote", () => {
  expect(parse(state)).toEqual(state);
  const bare = { ...mark, contextTokens: null, lastStep: null, lastMessage: "words" };
  expect(parse({ ...state, marks: [bare], past: [], cwd: undefined, packed: undefined })).toBeDefined();
});

const wrong = [null, { other: 1 }, [7], -1, 1e308];

test.each(Object.keys(state))("rejects a state with a wrong %s", (key) => {
  expect(wrong.filter((value) => parse({ ...state, [key]: value }) !== undefined)).toEqual([]);
});

test.each(Object.keys(mark))("rejects a mark with a wrong %s", (key) => {
  const free = { contextTokens: [null, -1, 1e308], lastStep: [null] }[key] ?? [];
  expect(wrong.filter((value) => parse({ ...state, marks: [{ ...mark, [key]: value }] }) !== undefined)).toEqual(free);
});

test.each(Object.keys(past))("rejects a past generation with a wrong %s", (key) => {
  expect(wrong.filter((value) => parse({ ...state, past: [{ ...past, [key]: value }] }) !== undefined)).toEqual([]);
});

test("rejects the state of a past generation with any wrong field", () => {
  const home = mkdtempSync(join(tmpdir(), "state-"));
  try {
    const paths = new SnapshotPaths(home);
    const read = (value: unknown): unknown => {
      mkdirSync(join(paths.pastState("s", 2), ".."), { recursive: true });
      writeFileSync(paths.pastState("s", 2), JSON.stringify(value));
      return readPastState(paths, "s", 2);
    };
    const ended = { ...state, endedAt: 1_794_900_000_000, why: "shrunk" };
    expect(read(ended)).toEqual(ended);
    const forged = [{ ...ended, endedAt: 1e308 }, { ...ended, endedAt: null }, { ...ended, why: 7 }, state];
    expect([...forged, { ...ended, generation: 3 }].map(read)).toEqual(Array(5).fill(undefined));
  } finally {
    rmSync(home, { recursive: true });
  }
});
