import { describe, expect, test } from "bun:test";
import { decideStart, type PriorConversation } from "../../src/core/service-start.ts";

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

describe("a service starts", () => {
  const cases: [why: string, prior: PriorConversation, kind: "continue" | "plain", reason: RegExp][] = [
    ["plain at its first boot", { kind: "none" }, "plain", /no conversation of this workspace yet/],
    ["plain beside another claude", { kind: "held", sessionId: id }, "plain", /held by another claude/],
    ["plain after an empty conversation", found({ state: "empty" }), "plain", /is empty/],
    ["plain after one that cannot be repaired", found({ state: "damaged" }), "plain", /damaged and cannot be repaired/],
    ["plain after one that is too old", found({ age: 8 * day }), "plain", /8 days old, and 7 days is the most/],
    ["with the conversation", found(), "continue", /is there$/],
    ["with one of exactly seven days", found({ age: 7 * day }), "continue", /is there$/],
    ["with one that was repaired", found({ state: "repaired" }), "continue", /it was damaged and is repaired/],
    ["with one that was interrupted", found({ interrupted: true }), "continue", /told to go on/],
    ["with one before that of another claude", found({ isNewest: false }), "continue", /held by another claude/],
  ];
  test.each(cases)("%s", (_why, prior, kind, reason) => {
    const start = decideStart(prior, 7 * day);
    expect(start.kind).toBe(kind);
    expect(start.why).toMatch(reason);
  });

  test("by --continue, unless that would be another conversation", () => {
    expect(decideStart(found(), 7 * day)).toMatchObject({ how: "--continue", tellToGoOn: false });
    expect(decideStart(found({ isNewest: false }), 7 * day)).toMatchObject({ how: "--resume", sessionId: id });
    expect(decideStart(found({ interrupted: true }), 7 * day)).toMatchObject({ tellToGoOn: true });
  });
});
