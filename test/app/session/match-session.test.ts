import { expect, test } from "bun:test";
import { matchSession } from "../../../src/app/session/match-session.ts";

const ids = ["3f2a0000-1", "3f2b0000-2", "x"];

test.each([
  ["3f2a0000-1", "3f2a0000-1"],
  ["x", "x"],
  ["3f2a", "3f2a0000-1"],
  ["9999", undefined],
  ["9", undefined],
])("%p matches %p", (given, wanted) => {
  expect(matchSession(ids, given)).toBe(wanted as never);
});

test.each([
  ["3", '"3" is too short for a session id'],
  ["3f2", '"3f2" is too short for a session id'],
])("refuses %s, which may be the number of a mark", (given, message) => {
  expect(() => matchSession(ids, given)).toThrow(message);
});

test("refuses a prefix of several sessions, and lists them", () => {
  const twins = ["abcd-1", "abcd-2"];
  expect(() => matchSession(twins, "abcd")).toThrow('"abcd" matches 2 sessions: abcd-1, abcd-2');
});
