import { describe, expect, test } from "bun:test";
import type { ArgsDef } from "citty";
import { checkArguments } from "../../../src/cli/programs/check-arguments.ts";

const definition = {
  session: { type: "positional", required: false },
  to: { type: "string" },
  shape: { type: "enum", options: ["round", "square"] },
  "dry-run": { type: "boolean" },
  yes: { type: "boolean", alias: "y" },
} satisfies ArgsDef;

describe("accepts", () => {
  test.each([
    [[]],
    [["abc"]],
    [["abc", "--to", "3", "-y"]],
    [["--to=3", "--dry-run", "abc"]],
    [["--shape", "round"]],
    [["--", "--looks-like-an-option"]],
    [["--to=-5"]],
  ])("%p", (words) => {
    expect(() => checkArguments(words, definition)).not.toThrow();
  });
});

describe("refuses in one sentence", () => {
  test.each([
    [["--tto", "3"], "unknown option --tto; did you mean --to?"],
    [["--zzzzzz"], "unknown option --zzzzzz"],
    [["-x"], "unknown option -x"],
    [["--to"], "option --to needs a value"],
    [["--to", "--dry-run"], "option --to needs a value"],
    [["--to="], "option --to needs a value"],
    [["--dry-run=yes"], "option --dry-run takes no value"],
    [["--shape", "oval"], 'option --shape must be one of round, square (got "oval")'],
    [["abc", "def"], 'unexpected argument "def"'],
  ])("%p: %s", (words, message) => {
    expect(() => checkArguments(words, definition)).toThrow(message);
  });

  test("names a missing argument", () => {
    expect(() => checkArguments([], { file: { type: "positional" } })).toThrow("missing argument <file>");
  });
});
