import { expect, test } from "bun:test";
import { measureWork } from "../../../src/claude/transcript/work-after.ts";

const user = (text: string): string =>
  JSON.stringify({ type: "user", uuid: "u", message: { role: "user", content: text } });
const call = (name: string, input: object): string =>
  JSON.stringify({
    type: "assistant",
    uuid: "a",
    message: { id: "m", role: "assistant", content: [{ type: "tool_use", id: "c", name, input }] },
  });

test("counts turns, edited files and commands, and keeps the user's last prompt", () => {
  const lines = [
    user("Start"),
    call("Edit", { file_path: "/a" }),
    call("Write", { file_path: "/a" }),
    call("Write", { file_path: "/b" }),
    call("Read", { file_path: "/c" }),
    call("Bash", { command: "make" }),
    user("Finish it"),
    user("/compact"),
    user("[AI-RUNTIME CONTEXT RESTORED] and more"),
    "not JSON",
  ];
  expect(measureWork(lines)).toEqual({ turns: 2, files: 2, commands: 1, lastPrompt: "Finish it" });
  expect(measureWork([])).toEqual({ turns: 0, files: 0, commands: 0, lastPrompt: null });
});
