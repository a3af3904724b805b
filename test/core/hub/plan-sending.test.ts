import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Item } from "../../../src/core/hub/manifest.ts";
import { cutChunks, type LocalItem, planSending } from "../../../src/core/hub/plan-sending.ts";

/** The text itself stands for its hash. */
const local = (name: string, text: string): LocalItem => ({
  name,
  size: text.length,
  hashAt: (size) => (size <= text.length ? text.slice(0, size) : undefined),
});
const remote = (name: string, stream: string, text: string): Item => ({
  name,
  stream,
  size: text.length,
  link: `link of ${stream}`,
  hash: text,
});

function plan(
  there: Item[],
  here: LocalItem[],
): { sent: [name: string, stream: string, from: number][]; kept: string[] } {
  let count = 0;
  const { sendings, kept } = planSending(there, here, () => `new-${++count}`);
  return {
    sent: sendings.map(({ local: { name }, stream, from }) => [name, stream, from]),
    kept: kept.map(({ name }) => name),
  };
}

describe("what to send", () => {
  test("a file that grew continues its stream", () => {
    expect(plan([remote("a", "s1", "one")], [local("a", "one two")])).toEqual({ sent: [["a", "s1", 3]], kept: [] });
  });

  test("a file that was replaced starts a stream, and the old one stays under another name", () => {
    expect(plan([remote("a", "s1", "one")], [local("a", "two")])).toEqual({
      sent: [["a", "new-1", 0]],
      kept: ["a~s1"],
    });
  });

  test("a file that became shorter starts a stream: the hub loses nothing", () => {
    expect(plan([remote("a", "s1", "one two")], [local("a", "one")])).toEqual({
      sent: [["a", "new-1", 0]],
      kept: ["a~s1"],
    });
  });

  test("a renamed file keeps its stream, and a new one may take its name", () => {
    const here = [local("a", "new"), local("a.before-1", "old")];
    expect(plan([remote("a", "s1", "old")], here)).toEqual({
      sent: [
        ["a", "new-1", 0],
        ["a.before-1", "s1", 3],
      ],
      kept: [],
    });
  });

  test("a generation with another number continues the longest stream that it starts with", () => {
    const there = [remote("mirror/1", "s1", "one two"), remote("mirror/9", "s9", "one")];
    expect(plan(there, [local("mirror/2", "one two three")])).toEqual({
      sent: [["mirror/2", "s1", 7]],
      kept: ["mirror/9"],
    });
  });

  test("what this machine no longer has stays in the hub", () => {
    expect(plan([remote("a", "s1", "one"), remote("b", "s2", "x")], [local("a", "one")]).kept).toEqual(["b"]);
  });

  test("no stream is used twice, and every byte of every file is in the hub afterwards", () => {
    const texts = fc.array(fc.stringMatching(/^[ab]{0,6}$/), { maxLength: 5 });
    fc.assert(
      fc.property(texts, texts, (there, here) => {
        const items = there.map((text, at) => remote(`f${at % 3}`, `s${at}`, text));
        const files = here.map((text, at) => local(`f${at}`, text));
        let count = 0;
        const { sendings, kept } = planSending(items, files, () => `new-${++count}`);
        const streams = [...sendings.map(({ stream }) => stream), ...kept.map(({ stream }) => stream)];
        expect(new Set(streams).size).toBe(streams.length);
        for (const { local: file, stream, from } of sendings) {
          const before = items.find((item) => item.stream === stream);
          expect(from).toBe(before?.size ?? 0);
          expect(file.hashAt(from)).toBe(before?.hash ?? "");
        }
        for (const item of items) expect(streams).toContain(item.stream);
      }),
    );
  });
});

test("chunks cover a range without gaps", () => {
  expect(cutChunks(3, 10, 4)).toEqual([
    { start: 3, end: 7 },
    { start: 7, end: 10 },
  ]);
  expect(cutChunks(5, 5, 4)).toEqual([]);
});
