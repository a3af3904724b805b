import { expect, test } from "bun:test";
import { isSessionId } from "../../src/core/session-id.ts";

test.each(["1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", "a", "agent_1", "A".repeat(128)])("isSessionId accepts %s", (id) => {
  expect(isSessionId(id)).toBe(true);
});

test.each([
  "",
  "../x",
  "a/b",
  "a\\b",
  "a\0b",
  ".hidden",
  "-flag",
  "a b",
  "ä",
  "a\n",
  "con:",
  "x".repeat(129),
  "x".repeat(10_000),
])("isSessionId refuses %j", (id) => expect(isSessionId(id)).toBe(false));
