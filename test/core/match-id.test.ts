import { describe, expect, test } from "bun:test";
import { matchId } from "../../src/core/match-id.ts";

describe("matchId", () => {
  const ids = ["a1-x", "a2-y", "a1-x-long", "b-y"];
  const kind = "runs";

  test.each([
    ["a1-x", "a1-x"],
    ["a1-x-", "a1-x-long"],
    ["b", "b-y"],
    ["c", undefined],
    ["long", undefined],
  ])("finds %p as %p by exact id or unique prefix", (given, found) => {
    expect(matchId(ids, given, { kind })).toBe(found as never);
  });

  test("finds a unique suffix only where suffixes are allowed", () => {
    expect(matchId(ids, "long", { kind, allowSuffix: true })).toBe("a1-x-long");
    expect(() => matchId(ids, "-y", { kind, allowSuffix: true })).toThrow('"-y" matches 2 runs: a2-y, b-y');
  });

  test("refuses an ambiguous prefix and lists at most five candidates", () => {
    expect(() => matchId(ids, "a1", { kind })).toThrow('"a1" matches 2 runs: a1-x, a1-x-long');
    const many = ["k1", "k2", "k3", "k4", "k5", "k6"];
    expect(() => matchId(many, "k", { kind })).toThrow('"k" matches 6 runs: k2, k3, k4, k5, k6, …');
  });

  test("refuses an empty id", () => {
    expect(() => matchId(ids, "", { kind })).toThrow("the id is empty");
  });

  test("counts an id that is listed twice once", () => {
    expect(matchId(["one", "one"], "on", { kind })).toBe("one");
  });
});
