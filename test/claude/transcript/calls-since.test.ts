import { expect, test } from "bun:test";
import { digestCallsSince } from "../../../src/claude/transcript/calls-since.ts";

const at = (second: number): string => new Date(Date.UTC(2026, 10, 18, 8, 0, second)).toISOString();
const time = (second: number): number => Date.parse(at(second));

const call = (id: string, second: number, name: string, input: object): string =>
  JSON.stringify({
    type: "assistant",
    uuid: `call-${id}`,
    timestamp: at(second),
    message: { id: `m-${id}`, role: "assistant", content: [{ type: "tool_use", id, name, input }] },
  });
const result = (id: string, second: number, failed = false): string =>
  JSON.stringify({
    type: "user",
    uuid: `result-${id}`,
    timestamp: at(second),
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "ok", is_error: failed }] },
  });
const bash = (id: string, second: number): string => call(id, second, "Bash", { command: `make ${id}` });

const since = (second: number, ...lines: string[]): object => digestCallsSince(lines.toReversed(), time(second));

test.each([
  {
    title: "a call that finished before the moment is in the files",
    found: since(5, bash("a", 1), result("a", 2)),
    files: [],
    commands: [],
  },
  {
    title: "a call that finished after it is not, also when it began before",
    found: since(5, bash("a", 1), result("a", 2), bash("b", 4), result("b", 6), bash("c", 7), result("c", 8, true)),
    files: [],
    commands: [
      { command: "make b", outcome: "succeeded" },
      { command: "make c", outcome: "failed" },
    ],
  },
  {
    title: "a call without a result counts",
    found: since(5, bash("a", 1), result("a", 2), bash("b", 6)),
    files: [],
    commands: [{ command: "make b", outcome: "unknown" }],
  },
  {
    title: "an edit counts as its file",
    found: since(5, call("a", 6, "Write", { file_path: "/p/a.txt" }), result("a", 7)),
    files: ["/p/a.txt"],
    commands: [],
  },
])("$title", ({ found, files, commands }) => {
  expect(found).toEqual({ files, commands });
});
