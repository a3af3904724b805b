import { expect, test } from "bun:test";
import { parseDarwinPs } from "../../src/platform/parse-darwin-ps.ts";

test.each([
  ["Ss   Sun Nov 16 03:46:05 2025\n", "1763264765"],
  ["S+   Sat Nov  1 23:59:59 2025    ", "1762041599"],
  ["R    Thu Jan  1 00:00:00 1970", "0"],
])("%p started at %s", (text, startTime) => {
  expect(parseDarwinPs(text)).toBe(startTime);
});

test("treats a zombie as ended", () => {
  expect(parseDarwinPs("Z    Sun Nov 16 03:46:05 2025")).toBeUndefined();
});

test.each(["", "S", "S dim. 16 nov. 03:46:05 2025", "ps: illegal option"])("refuses %p", (text) => {
  expect(() => parseDarwinPs(text)).toThrow("not a line of ps");
});
