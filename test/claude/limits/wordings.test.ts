// The tables of wordings drive these tests: a new row is tested without a change here.
import { describe, expect, test } from "bun:test";
import { classifyError } from "../../../src/claude/limits/api-error.ts";
import { errorWordings } from "../../../src/claude/limits/error-wordings.ts";
import { parseResetTime } from "../../../src/claude/limits/reset-time.ts";
import { resetForms, resetOpenings } from "../../../src/claude/limits/reset-wordings.ts";

const now = Date.parse("2026-11-16T12:00:00Z");
const clock = { now, zone: "UTC", latestReset: now + 8 * 24 * 3_600_000, latestSpendReset: now + 32 * 24 * 3_600_000 };
const noFields = { error: undefined, status: undefined, details: undefined, quotaResetsAt: undefined };
const versions = /^\d+\.\d+\.\d+(-\d+\.\d+\.\d+)?$/;

/** The kinds of the table that are a special case of another kind. */
const special: Record<string, object> = {
  "model-limit": { kind: "limit", of: "model" },
  "spend-limit": { kind: "limit", of: "spend" },
  "rate-limit": { kind: "server" },
};

const wordings = Object.entries(errorWordings).flatMap(([kind, rows]) =>
  rows.map(([pattern, seenIn, example]) => ({ kind, pattern, seenIn, example })),
);

describe("a client's error text without any field", () => {
  test.each(wordings)("means $kind: $example", ({ kind, pattern, seenIn, example }) => {
    expect(classifyError({ ...noFields, text: example }, clock)).toMatchObject(special[kind] ?? { kind });
    expect(pattern.test(example)).toBe(true);
    expect(seenIn).toMatch(versions);
  });

  test.each(wordings)("is ignored as a quote: $example", ({ example }) => {
    expect(classifyError({ ...noFields, text: `The tool said: ${example}` }, clock).kind).toBe("other");
  });

  test.each(wordings.filter(({ example }) => /reset|regain/.test(example)))(
    "states a reset: $example",
    ({ example }) => {
      expect(classifyError({ ...noFields, text: example }, clock)).toMatchObject({ resetsAt: expect.any(Number) });
    },
  );

  test("matches one wording only, so that each row is needed", () => {
    for (const { example } of wordings) {
      expect(wordings.filter(({ pattern }) => pattern.test(example))).toHaveLength(1);
    }
  });
});

describe("a reset time", () => {
  test.each(resetOpenings)("follows the words %p (%s): %s", (words, _seenIn, example) => {
    expect(parseResetTime(example, clock)).toBeGreaterThan(now);
    expect(parseResetTime(example.replace(new RegExp(words), "mentions"), clock)).toBeUndefined();
  });

  test.each(resetForms)("has the form: $example", ({ pattern, example }) => {
    expect(pattern.test(example)).toBe(true);
    expect(parseResetTime(example, clock)).toBeGreaterThan(now);
  });
});
