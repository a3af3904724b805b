import { expect, test } from "bun:test";
import { readInvitation, writeInvitation } from "../../../src/core/hub/hub-config.ts";
import { decideSchema } from "../../../src/core/hub/schema-version.ts";

const invitation = {
  url: "postgres://jürgen:pä55@db.example.org/work",
  key: "A".repeat(43),
  hub: "0b5ad5d5-5a6f-4b6f-9f8e-2d0f3f0f4b11",
};

test("a line for hub join is one word, and reading it gives back what was written", () => {
  const line = writeInvitation(invitation);
  expect(line).toMatch(/^aihub1:[\w-]+$/);
  expect(readInvitation(` ${line}\n`)).toEqual(invitation);
});

test.each([["hello"], ["aihub1:"], ["aihub1:e30"], [writeInvitation({ ...invitation, key: "short" })], ["aihub1:*"]])(
  "%s is not a line for hub join",
  (line) => expect(readInvitation(line)).toBeUndefined(),
);

test.each([
  [undefined, 2, "absent"],
  [0, 2, "absent"],
  [1, 2, "older"],
  [2, 2, "current"],
  [3, 2, "newer"],
] as const)("schema %p for a client that knows %p is %s", (found, known, decision) => {
  expect(decideSchema(found, known)).toBe(decision);
});
