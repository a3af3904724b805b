import { describe, expect, test } from "bun:test";
import { readFirstCost, readLastRequest } from "../../../src/claude/transcript/request-cost.ts";

const answer = (usage: object | undefined, more: object = {}): string =>
  JSON.stringify({
    type: "assistant",
    timestamp: "2026-11-18T10:00:00.000Z",
    message: { model: "claude-x", usage },
    ...more,
  });
const usage = {
  input_tokens: 5,
  cache_read_input_tokens: 90_000,
  cache_creation_input_tokens: 1_000,
  output_tokens: 200,
};
const time = Date.parse("2026-11-18T10:00:00Z");

describe("the last request", () => {
  test("is all of its input and its answer", () => {
    expect(readLastRequest([answer(usage)])).toEqual({ tokens: 91_205, time, cacheMs: 300_000 });
  });

  test("is kept for an hour where the client asked for that", () => {
    const kept = { ...usage, cache_creation: { ephemeral_1h_input_tokens: 1_000, ephemeral_5m_input_tokens: 0 } };
    expect(readLastRequest([answer(kept)])?.cacheMs).toBe(3_600_000);
  });

  test("is not an error, a subagent's, or one without usage", () => {
    const others = [
      "not json",
      answer(usage, { isApiErrorMessage: true }),
      answer(usage, { isSidechain: true }),
      answer(undefined),
      JSON.stringify({ type: "user", message: { role: "user", content: "hi" } }),
      JSON.stringify({ type: "assistant", timestamp: "x", message: { model: "<synthetic>", usage } }),
    ];
    expect(readLastRequest(others)).toBeUndefined();
    expect(readLastRequest([...others, answer(usage)])?.tokens).toBe(91_205);
  });

  test("is unknown after a compaction", () => {
    const boundary = JSON.stringify({ type: "system", subtype: "compact_boundary" });
    expect(readLastRequest([boundary, answer(usage)])).toBeUndefined();
  });
});

test("what the first request cost is what was not read from the cache", () => {
  expect(readFirstCost(["", answer(usage, { isSidechain: true }), answer(usage), answer({ input_tokens: 9 })])).toBe(
    1_005,
  );
  expect(readFirstCost([])).toBeUndefined();
});
