import { describe, expect, test } from "bun:test";
import { findStaleEnd } from "../../src/claude/stale-end.ts";

const record = (uuid: string, parentUuid: string | null, more: object = {}) => ({
  type: "user",
  uuid,
  parentUuid,
  ...more,
});
const note = (leafUuid: string) => ({ type: "last-prompt", lastPrompt: "Do it", leafUuid, sessionId: "s" });
const other = { type: "api-request" };

/** As they stand in the file. */
const stale = (...lines: object[]): string | undefined =>
  findStaleEnd(lines.map((line) => JSON.stringify(line)).toReversed())?.note;

const first = [record("a", null), record("b", "a"), record("error", "b", { type: "system", subtype: "api_error" })];

test("a branch that began beside the noted end, and was never noted", () => {
  const end = stale(...first, note("error"), record("c", "b"), record("d", "c"), other);
  expect(JSON.parse(end ?? "")).toEqual(note("d"));
});

test("a branch beside one that others hang on, as of tools side by side", () => {
  const calls = [record("call 1", "a"), record("call 2", "call 1")];
  const results = [record("result 2", "call 2"), record("result 1", "call 1"), record("answer", "result 1")];
  expect(stale(record("a", null), ...calls, note("call 2"), ...results)).toContain('"leafUuid":"answer"');
});

test("the noted end may stand behind its note: claude writes them together, in this order", () => {
  const [a, b, error] = [record("a", null), record("b", "a"), record("error", "b", { subtype: "api_error" })];
  const lines = [a, b, note("error"), other, error, record("c", "b"), record("d", "c")];
  const found = findStaleEnd(lines.map((line) => JSON.stringify(line)).toReversed());
  expect(JSON.parse(found?.note ?? "")).toEqual(note("d"));
  expect(found?.defect.loses).toContain("everything since (2 records)");
  expect(stale(a, note("b"), other, b)).toBeUndefined();
  expect(stale(a, note("b"), other, b, record("c", "b"), record("d", "c"))).toBeUndefined();
});

test("the last note counts, and not one before it; what came since is counted", () => {
  const lines = [...first, note("b"), note("error"), record("c", "b"), record("d", "c")];
  const found = findStaleEnd(lines.map((line) => JSON.stringify(line)).toReversed());
  expect(JSON.parse(found?.note ?? "")).toEqual(note("d"));
  expect(found?.defect.loses).toContain("everything since (2 records)");
});

test("the noted end is not looked for in all of a long transcript", () => {
  let read = 0;
  function* lines(): Generator<string> {
    yield JSON.stringify(record("c", "b"));
    yield JSON.stringify(note("error"));
    for (; read < 100; read++) yield JSON.stringify(record(`x${read}`, null, { text: "x".repeat(1_000_000) }));
  }
  expect(findStaleEnd(lines())).toBeUndefined();
  expect(read).toBeLessThan(20);
});

describe("nothing is stale", () => {
  test.each([
    ["in a transcript without a note", first],
    ["when the note comes last", [...first, record("c", "b"), note("c"), other]],
    ["when an older branch is noted last, as after going back", [...first, record("c", "b"), note("error")]],
    [
      "when the conversation went on from the noted end",
      [...first, note("error"), record("c", "error"), record("d", "c")],
    ],
    ["when the note names an earlier one on the same way", [...first, record("c", "b"), note("a"), record("d", "c")]],
    ["when the noted end is not there", [...first, note("gone"), record("c", "b")]],
    ["when nothing came since", [...first, note("error"), other]],
    ["when only a subagent spoke since", [...first, note("error"), record("x", null, { isSidechain: true })]],
    ["in an empty file", []],
  ] as [string, object[]][])("%s", (_, lines) => {
    expect(stale(...lines)).toBeUndefined();
  });
});

test("what is no JSON, and a circle of parents, are passed over", () => {
  const lines = [...first, note("error"), record("c", "d"), record("d", "c")].map((line) => JSON.stringify(line));
  expect(findStaleEnd(["{torn", ...lines.toReversed()])?.note).toContain('"leafUuid":"d"');
});
