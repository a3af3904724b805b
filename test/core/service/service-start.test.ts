import { describe, expect, test } from "bun:test";
import { decideStart, type PriorConversation } from "../../../src/core/service/service-start.ts";

const day = 86_400_000;
const id = "11111111-2222-4333-8444-555555555555";
const found = (changes: object = {}): PriorConversation => ({
  kind: "found",
  sessionId: id,
  age: day,
  state: "whole",
  interrupted: false,
  isNewest: true,
  ...changes,
});

describe("a service starts with", () => {
  const cases: [why: string, prior: PriorConversation, kind: "continue" | "plain", reason: RegExp][] = [
    ["a new conversation at first", { kind: "none" }, "plain", /this workspace has no conversation yet/],
    ["a new one when another claude has it", { kind: "held", sessionId: id }, "plain", /open in another claude/],
    ["a new one when the last is empty", found({ state: "empty" }), "plain", /is empty/],
    [
      "a new one when the last is beyond repair",
      found({ state: "damaged" }),
      "plain",
      /damaged and cannot be repaired/,
    ],
    ["a new one when the last is too old", found({ age: 8 * day }), "plain", /8d old, more than 7d/],
    ["the last conversation", found(), "continue", /^continuing conversation \S+$/],
    ["one of exactly seven days", found({ age: 7 * day }), "continue", /^continuing conversation \S+$/],
    ["a repaired one", found({ state: "repaired" }), "continue", /it was damaged and has been repaired/],
    ["an interrupted one", found({ interrupted: true }), "continue", /prompted to continue/],
    [
      "an older one when another claude has the newest",
      found({ isNewest: false }),
      "continue",
      /open in another claude/,
    ],
  ];
  test.each(cases)("%s", (_why, prior, kind, reason) => {
    const start = decideStart(prior, 7 * day);
    expect(start.kind).toBe(kind);
    expect(start.why).toMatch(reason);
  });

  test("--continue, or --resume when --continue would choose another conversation", () => {
    expect(decideStart(found(), 7 * day)).toMatchObject({ how: "--continue", tellToContinue: false });
    expect(decideStart(found({ isNewest: false }), 7 * day)).toMatchObject({ how: "--resume", sessionId: id });
    expect(decideStart(found({ interrupted: true }), 7 * day)).toMatchObject({ tellToContinue: true });
  });
});
