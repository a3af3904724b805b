import { expect, test } from "bun:test";
import { customTitle, isBegunByProgram } from "../../../src/claude/transcript/conversation-choice.ts";

const lines = (...records: object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const by = (entrypoint: string): object => ({ type: "user", message: { content: "Hello" }, entrypoint });

test.each<[string, string, boolean]>([
  ["a program", lines({ type: "queue-operation" }, by("sdk-cli"), by("cli")), true],
  ["a user, whatever continued it", lines(by("cli"), by("sdk-cli")), false],
  ["a client that does not record it", lines({ type: "user", message: { content: '"entrypoint":"sdk-cli"' } }), false],
  ["nothing yet", "", false],
])("the conversation was begun by %s", (_, head, expected) => {
  expect(isBegunByProgram(head)).toBe(expected);
});

test("the last name of a session counts, and a cut record does not", () => {
  const title = (name: string): object => ({ type: "custom-title", customTitle: name });
  expect(customTitle(lines(title("First"), by("cli"), title("Second")))).toBe("Second");
  expect(customTitle(lines(title("First"), title("Second")).slice(0, -4))).toBe("First");
  expect(customTitle(lines(by("cli"), { type: "user", message: { content: '"custom-title"' } }))).toBeUndefined();
});
