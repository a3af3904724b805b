import { expect, test } from "bun:test";
import { closest } from "../../../src/cli/programs/closest.ts";

const verbs = ["run", "resume", "recover", "status", "stop", "logs", "install", "uninstall", "doctor"];

test.each([
  ["rnu", "run"],
  ["rn", "run"],
  ["urn", "run"],
  ["runn", "run"],
  ["lgos", "logs"],
  ["statsu", "status"],
  ["isntal", "install"],
  ["dcotro", "doctor"],
  ["xyz", undefined],
  ["nonsense", undefined],
  ["ab", undefined],
])("%s probably means %s", (word, expected) => {
  expect(closest(word, verbs)).toBe(expected);
});
