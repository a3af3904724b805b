import { expect, test } from "bun:test";
import { matchSession } from "../../src/app/match-session.ts";

const ids = ["3f2a0000-1", "3f2b0000-2", "x"];

test.each([
  ["3f2a0000-1", "3f2a0000-1"],
  ["x", "x"],
  ["3f2a", "3f2a0000-1"],
  ["9999", undefined],
  ["9", undefined],
])("%s means %s", (given, wanted) => {
  expect(matchSession(ids, given)).toBe(wanted as never);
});

test.each([
  ["3", '"3" is too short for a session'],
  ["3f2", '"3f2" is too short for a session'],
])("%s is refused: it may be the number of a mark", (given, message) => {
  expect(() => matchSession(ids, given)).toThrow(message);
});

test("the beginning of several is refused with their names", () => {
  const twins = ["abcd-1", "abcd-2"];
  expect(() => matchSession(twins, "abcd")).toThrow('"abcd" is the beginning of 2 sessions: abcd-1, abcd-2');
});
