import { describe, expect, test } from "bun:test";
import { findStaleEnd } from "../../../src/claude/repair/stale-end.ts";

const record = (uuid: string, parentUuid: string | null, more: object = {}) => ({
  type: "user",
  uuid,
  parentUuid,
  ...more,
});
const note = (leafUuid: string) => ({ type: "last-prompt", lastPrompt: "Do it", leafUuid, sessionId: "s" });
const other = { type: "api-request" };

/** In the order of the file. */
const stale = (...lines: object[]): string | undefined =>
  findStaleEnd(lines.map((line) => JSON.stringify(line)).toReversed())?.note;

const first = [record("a", null), record("b", "a"), record("error", "b", { type: "system", subtype: "api_error" })];

test("finds a branch that does not descend from the noted end", () => {
  const end = stale(...first, note("error"), record("c", "b"), record("d", "c"), other);
  expect(JSON.parse(end ?? "")).toEqual(note("d"));
});

test("finds a branch beside the noted end after parallel tool calls", () => {
  const calls = [record("call 1", "a"), record("call 2", "call 1")];
  const results = [record("result 2", "call 2"), record("result 1", "call 1"), record("answer", "result 1")];
  expect(stale(record("a", null), ...calls, note("call 2"), ...results)).toContain('"leafUuid":"answer"');
});

test("the noted end may come after its note, because claude writes the note first", () => {
  const [a, b, error] = [record("a", null), record("b", "a"), record("error", "b", { subtype: "api_error" })];
  const lines = [a, b, note("error"), other, error, record("c", "b"), record("d", "c")];
  const found = findStaleEnd(lines.map((line) => JSON.stringify(line)).toReversed());
  expect(JSON.parse(found?.note ?? "")).toEqual(note("d"));
  expect(found?.defect.loses).toContain("everything since (2 records)");
  expect(stale(a, note("b"), other, b)).toBeUndefined();
  expect(stale(a, note("b"), other, b, record("c", "b"), record("d", "c"))).toBeUndefined();
});

test("uses the last note and counts the records since then", () => {
  const lines = [...first, note("b"), note("error"), record("c", "b"), record("d", "c")];
  const found = findStaleEnd(lines.map((line) => JSON.stringify(line)).toReversed());
  expect(JSON.parse(found?.note ?? "")).toEqual(note("d"));
  expect(found?.defect.loses).toContain("everything since (2 records)");
});

test("searches only the end of a long transcript", () => {
  let read = 0;
  function* lines(): Generator<string> {
    yield JSON.stringify(record("c", "b"));
    yield JSON.stringify(note("error"));
    for (; read < 100; read++) yield JSON.stringify(record(`x${read}`, null, { text: "x".repeat(1_000_000) }));
  }
  expect(findStaleEnd(lines())).toBeUndefined();
  expect(read).toBeLessThan(20);
});

describe("finds no stale end", () => {
  test.each([
    ["in a transcript without a note", first],
    ["when the note comes last", [...first, record("c", "b"), note("c"), other]],
    ["when the last note names an older branch, as after a rewind", [...first, record("c", "b"), note("error")]],
    [
      "when the conversation continued from the noted end",
      [...first, note("error"), record("c", "error"), record("d", "c")],
    ],
    [
      "when the note names an earlier record of the same chain",
      [...first, record("c", "b"), note("a"), record("d", "c")],
    ],
    ["when the noted end is missing", [...first, note("gone"), record("c", "b")]],
    ["when no record follows the note", [...first, note("error"), other]],
    [
      "when only a subagent's record follows the note",
      [...first, note("error"), record("x", null, { isSidechain: true })],
    ],
    ["in an empty file", []],
  ] as [string, object[]][])("%s", (_, lines) => {
    expect(stale(...lines)).toBeUndefined();
  });
});

test("skips lines that are not JSON, and ends on a cycle of parents", () => {
  const lines = [...first, note("error"), record("c", "d"), record("d", "c")].map((line) => JSON.stringify(line));
  expect(findStaleEnd(["{torn", ...lines.toReversed()])?.note).toContain('"leafUuid":"d"');
});
