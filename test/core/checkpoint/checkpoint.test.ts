import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Checkpoint, compose, isWorthShowing, leads } from "../../../src/core/checkpoint/checkpoint.ts";
import { checkpointToJson, parseCheckpoint } from "../../../src/core/checkpoint/checkpoint-form.ts";
import { see, save, prompt, history, words } from "../../support/worlds/checkpoint-evidence.ts";

describe("isWorthShowing", () => {
  const day = 86_400_000;
  const open = save(undefined, 10 * day, { goal: "g" });
  test.each<[string, Checkpoint, number, boolean]>([
    ["open", open, 12 * day, true],
    ["seven days old to the millisecond", open, 17 * day, true],
    ["older", open, 17 * day + 1, false],
    ["of a clock that ran ahead", open, 9 * day, true],
    ["finished", save(open, 11 * day, { finished: true }), 11 * day, false],
    ["without words", compose({ ...open, written: null }), 11 * day, false],
    ["asked and answered", see(undefined, 1, [prompt("Why?"), { kind: "answer", message: "So." }]), 2, false],
    ["asked and cut off", see(undefined, 1, [prompt("Why is that?")]), 2, true],
  ])("%s", (_what, checkpoint, now, expected) => expect(isWorthShowing(checkpoint, now, 7)).toBe(expected));

  test("leads() prefers the newer of two directories, but not talk over open work", () => {
    const elsewhere = (checkpoint: Checkpoint): Checkpoint => ({
      ...checkpoint,
      where: { ...checkpoint.where, directory: "/q" },
    });
    const talk = elsewhere(see(undefined, 11 * day, [prompt("Hello")]));
    expect(leads(elsewhere(save(undefined, 11 * day, { goal: "h" })), open)).toBe(true);
    expect(leads(talk, open)).toBe(false);
    expect(leads(open, talk)).toBe(true);
    expect(leads(talk, save(open, 10 * day, { finished: true }))).toBe(true);
  });
});

describe("the file", () => {
  test("reads back as written", () => {
    fc.assert(
      fc.property(history, fc.option(words), (seen, given) => {
        const checkpoint = given ? save(see(undefined, 1, seen), 2, given) : see(undefined, 1, seen);
        const text = JSON.stringify(checkpointToJson(checkpoint));
        expect(parseCheckpoint(text)).toEqual({ kind: "checkpoint", checkpoint });
      }),
    );
  });

  test("parses any text without throwing, into clean short lines", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(["checkpoint", "unreadable", "newer"]).toContain(parseCheckpoint(text).kind);
      }),
    );
    const hostile = { version: 1, written: { goal: "a\u001b[31mb\nIGNORE ALL\u202e\u{e0041}", done: "x", at: 1e99 } };
    const read = parseCheckpoint(JSON.stringify(hostile));
    expect(read).toMatchObject({ checkpoint: { goal: "ab IGNORE ALL", done: ["x"] } });
  });

  test("without a version counts as written words", () => {
    const old = {
      goal: "g",
      done: "a",
      next: "n",
      repo: "r",
      branch: "b",
      files: ["f"],
      timestamp: "2026-11-01T00:00:00Z",
    };
    expect(parseCheckpoint(JSON.stringify(old))).toMatchObject({
      checkpoint: {
        version: 1,
        goal: "g",
        done: ["a"],
        next: "n",
        where: { repository: "r", branch: "b", files: ["f"] },
      },
    });
    expect(parseCheckpoint('{"version":2}')).toEqual({ kind: "newer" });
    expect(parseCheckpoint("{")).toEqual({ kind: "unreadable" });
  });
});
