import { expect, test } from "bun:test";
import { readRunSettings } from "../../src/core/run-settings.ts";

const usual = { maxAttempts: 10, firstDelay: 10_000, unknownLimit: 3_600_000, problems: [] };

test("without a word: ten attempts, ten seconds, an hour", () => {
  expect(readRunSettings({})).toEqual(usual);
});

test("the environment's word, in seconds", () => {
  const given = { AI_RUNTIME_MAX_ATTEMPTS: "3", AI_RUNTIME_RETRY_SECONDS: "0.5", AI_RUNTIME_WAIT_SECONDS: "60" };
  expect(readRunSettings(given)).toEqual({ maxAttempts: 3, firstDelay: 500, unknownLimit: 60_000, problems: [] });
});

test.each(["", " "])("%p is no word", (text) => {
  const given = { AI_RUNTIME_MAX_ATTEMPTS: text, AI_RUNTIME_RETRY_SECONDS: text, AI_RUNTIME_WAIT_SECONDS: text };
  expect(readRunSettings(given)).toEqual(usual);
});

test.each(["soon", "-1", "Infinity", "NaN"])("%p is no number: the usual holds, and it is said", (text) => {
  const given = { AI_RUNTIME_MAX_ATTEMPTS: text, AI_RUNTIME_RETRY_SECONDS: text, AI_RUNTIME_WAIT_SECONDS: text };
  const problems = [
    `AI_RUNTIME_MAX_ATTEMPTS is no number, 0 or more: "${text}"; 10 is used`,
    `AI_RUNTIME_RETRY_SECONDS is no number, 0 or more: "${text}"; 10 is used`,
    `AI_RUNTIME_WAIT_SECONDS is no number, 0 or more: "${text}"; 3600 is used`,
  ];
  expect(readRunSettings(given)).toEqual({ ...usual, problems });
});

test("a run has one attempt at least, and whole ones", () => {
  expect(readRunSettings({ AI_RUNTIME_MAX_ATTEMPTS: "0" }).maxAttempts).toBe(1);
  expect(readRunSettings({ AI_RUNTIME_MAX_ATTEMPTS: "2.9" }).maxAttempts).toBe(2);
});

test("nothing is waited for longer than any limit lasts", () => {
  const given = { AI_RUNTIME_RETRY_SECONDS: "9e15", AI_RUNTIME_WAIT_SECONDS: "9e15" };
  expect(readRunSettings(given)).toMatchObject({ firstDelay: 691_200_000, unknownLimit: 691_200_000 });
});
