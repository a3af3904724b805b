// The table drives these tests: a new row is tested without a change here.
import { expect, test } from "bun:test";
import { screenTexts, shows } from "../../../src/claude/screen/screen-texts.ts";

const rows = Object.entries(screenTexts).flatMap(([kind, texts]) =>
  texts.map(([pattern, seenIn, example]) => ({ kind: kind as keyof typeof screenTexts, pattern, seenIn, example })),
);

test.each(rows)("$kind: $example", ({ kind, pattern, seenIn, example }) => {
  expect(shows(kind, example)).toBe(true);
  expect(pattern.test(example)).toBe(true);
  expect(seenIn).toMatch(/^\d+\.\d+\.\d+(-\d+\.\d+\.\d+)?$/);
});

test("an ordinary answer matches no screen text", () => {
  const answer = "> I fixed the test. Do not wait; the limit is 3.5 seconds.";
  expect(rows.filter(({ pattern }) => pattern.test(answer))).toEqual([]);
});
