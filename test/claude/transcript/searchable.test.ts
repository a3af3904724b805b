import { describe, expect, test } from "bun:test";
import { exitStatusOf, readSearchable } from "../../../src/claude/transcript/searchable.ts";
import { readFileSync } from "node:fs";
import { storedTranscript } from "../../support/transcripts/stored-transcript.ts";

const line = (type: string, content: unknown, more: object = {}): string =>
  JSON.stringify({
    parentUuid: null,
    type,
    uuid: "u",
    timestamp: "2026-11-18T04:00:00Z",
    message: { content },
    ...more,
  });

describe("a line has searchable text", () => {
  const cases: [title: string, line: string, texts: object[] | undefined][] = [
    ["a prompt", line("user", "fix it"), [{ role: "user", kind: "prompt", text: "fix it" }]],
    [
      "an answer",
      line("assistant", [{ type: "text", text: "done" }]),
      [{ role: "claude", kind: "answer", text: "done" }],
    ],
    [
      "a call with everything in its input, the command first",
      line("assistant", [
        {
          type: "tool_use",
          id: "t",
          name: "Bash",
          input: { description: "Runs tests", command: "npm test", timeout: 5 },
        },
      ]),
      [{ role: "tool", kind: "call", text: "npm test\nRuns tests\n5", tool: "Bash", callId: "t" }],
    ],
    [
      "a failed result",
      line("user", [{ type: "tool_result", tool_use_id: "t", is_error: true, content: "Exit code 2\nno such file" }]),
      [{ role: "tool", kind: "result", text: "Exit code 2\nno such file", callId: "t", failed: true }],
    ],
    [
      "a summary after a compaction",
      line("user", "The work so far", { isCompactSummary: true }),
      [{ role: "claude", kind: "summary", text: "The work so far" }],
    ],
    [
      "an error",
      line("assistant", [{ type: "text", text: "API Error: 529" }], { isApiErrorMessage: true }),
      [{ role: "claude", kind: "error", text: "API Error: 529" }],
    ],
    [
      "a subagent's line",
      line("assistant", [{ type: "text", text: "found" }], { isSidechain: true }),
      [{ role: "claude", kind: "answer", text: "found" }],
    ],
    [
      "a title",
      '{"type":"ai-title","aiTitle":"Fix the pool"}',
      [{ role: "claude", kind: "title", text: "Fix the pool" }],
    ],
    ["not the client's own messages", line("user", "hidden", { isMeta: true }), undefined],
    ["not bookkeeping", '{"type":"last-prompt","lastPrompt":"fix it"}', undefined],
    [
      "not the attachments of the client",
      '{"parentUuid":null,"attachment":{"type":"prompt_snapshot","systemPrompt":["x"]},"type":"attachment","uuid":"u"}',
      undefined,
    ],
    ["not a broken line", '{"type":"user","message":{', undefined],
  ];
  test.each(cases)("%s", (_title, text, texts) =>
    expect(readSearchable(text)?.texts as object[] | undefined).toEqual(texts),
  );
});

test("deeply nested input is cut, not an error", () => {
  const input = JSON.parse(`${'{"a":'.repeat(500)}"deep"${"}".repeat(500)}`) as object;
  expect(readSearchable(line("assistant", [{ type: "tool_use", id: "t", name: "X", input }]))?.texts[0]?.text).toBe("");
});

test.each(["2.1.326", "2.1.197", "2.1.36"] as const)(
  "the conversation that %s wrote has every kind of text",
  (version) => {
    const kinds = readFileSync(storedTranscript(version), "utf8")
      .split("\n")
      .flatMap((text) => readSearchable(text)?.texts.map(({ kind }) => kind) ?? []);
    expect(new Set(kinds)).toEqual(new Set(["prompt", "answer", "call", "result", "summary", "output", "error"]));
  },
);

test("the exit status is at the beginning of a failed result", () => {
  expect(exitStatusOf("Exit code 137\nKilled")).toBe(137);
  expect(exitStatusOf("Error: Exit code 1")).toBe(1);
  expect(exitStatusOf("It printed: Exit code 1")).toBeUndefined();
});
