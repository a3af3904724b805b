import { expect, test } from "bun:test";
import { readOwnWait } from "../../../src/claude/limits/own-wait.ts";

const limit = { type: "assistant", uuid: "limit", isApiErrorMessage: true };
const notice = (content: string): object => ({ type: "system", subtype: "informational", content });
const armed = notice("Usage limit reached · continuing automatically at 11:11pm · esc to cancel");
const canceled = notice("Automatic continue cancelled · /rate-limit-options to re-arm");
const exited = notice("Automatic continue cancelled · Claude Code exited during the wait, so the task will not resume");

test.each<[string, readonly object[], string | undefined, boolean]>([
  ["a wait", [limit, armed, { type: "mode" }], "limit", false],
  ["a canceled wait", [limit, armed, canceled, { type: "mode" }], "limit", true],
  ["a wait that was started again", [limit, armed, canceled, armed], "limit", false],
  ["a wait whose process ended", [limit, armed, exited], "limit", false],
  ["a prompt after a canceled wait", [limit, armed, canceled, { type: "user", uuid: "prompt" }], "prompt", false],
  ["a subagent's message after it", [limit, canceled, { type: "user", uuid: "sub", isSidechain: true }], "limit", true],
  ["no message", [{ type: "mode" }], undefined, false],
])("reads %s", (_, records, lastMessage, isCanceled) => {
  const lines = [...records.map((record) => JSON.stringify(record)), "a torn li"].toReversed();
  expect(readOwnWait(lines)).toEqual({ lastMessage, isCanceled });
});
