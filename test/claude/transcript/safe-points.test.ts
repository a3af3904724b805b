import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PointScanner, type ScannedPoints } from "../../../src/claude/transcript/safe-points.ts";
import { TranscriptReader } from "../../../src/claude/transcript/transcript.ts";
import { claudeVersions } from "../../support/sandbox/claude-versions.ts";

function scan(text: string): ScannedPoints {
  const scanner = new PointScanner();
  const reader = new TranscriptReader((line) => scanner.feed(line));
  reader.feed(new TextEncoder().encode(text));
  reader.end();
  return scanner.finish();
}

let ids = 0;
const record = (type: string, message: object, more: object = {}): object => ({
  type,
  uuid: `u${ids++}`,
  message,
  ...more,
});
const prompt = (content: string, more: object = {}): object => record("user", { role: "user", content }, more);
const result = (id: string, content = "ok"): object =>
  record("user", { content: [{ type: "tool_result", tool_use_id: id, content }] });
const answer = (id: string, tokens: number, block: object = { type: "text", text: "words" }): object =>
  record("assistant", {
    id,
    content: [block],
    usage: { input_tokens: tokens - 5, cache_read_input_tokens: 3, cache_creation_input_tokens: 2, output_tokens: 10 },
  });
const call = (id: string): object => ({ type: "tool_use", id, name: "Bash", input: {} });
const refusal = (text: string): object =>
  record(
    "assistant",
    { model: "<synthetic>", content: [{ type: "text", text: "Prompt is too long" }] },
    {
      isApiErrorMessage: true,
      errorDetails: text,
    },
  );

/** Each point by the number of lines before it. */
const shown = (...lines: object[]): string[] => {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  return scan(text).points.map(({ lines, kind, turn, tokens }) => `${lines} ${kind} ${turn} ${tokens}`);
};

describe("PointScanner", () => {
  test("finds points between turns and between complete tool results and the next request", () => {
    const lines = [
      prompt("one"),
      answer("m1", 100, call("a")),
      result("a"),
      answer("m2", 200),
      prompt("two"),
      answer("m3", 300),
    ];
    expect(shown(...lines)).toEqual([
      "1 prompt 1 100",
      "3 step 1 200",
      "4 turn 1 210",
      "5 prompt 2 300",
      "6 turn 2 310",
    ]);
  });

  test("does not cut between parallel calls and their results, in whatever order they are written", () => {
    const parallel = [answer("m1", 100, call("a")), answer("m1", 100, call("b")), result("b"), result("a")];
    expect(shown(prompt("p"), ...parallel, answer("m2", 200))).toEqual([
      "1 prompt 1 100",
      "5 step 1 200",
      "6 turn 1 210",
    ]);
    const streamed = [answer("m1", 100, call("a")), result("a"), answer("m1", 100, call("b")), result("b")];
    expect(shown(prompt("p"), ...streamed, answer("m2", 200))).toEqual([
      "1 prompt 1 100",
      "5 step 1 200",
      "6 turn 1 210",
    ]);
  });

  test("a conversation that ends in a tool call has no point there", () => {
    const text = [prompt("p"), answer("m1", 100, call("a"))].map((line) => `${JSON.stringify(line)}\n`).join("");
    expect(scan(text)).toMatchObject({ endsInToolCall: true, endsSafely: false, points: [{ kind: "prompt" }] });
  });

  test("a refused request tells the size before it and the maximum", () => {
    const lines = [
      prompt("p"),
      answer("m1", 100, call("a")),
      result("a"),
      refusal("prompt is too long: 45000 tokens > 10000 maximum"),
    ];
    expect(shown(...lines)).toEqual(["1 prompt 1 100", "3 step 1 45000"]);
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    expect(scan(text)).toMatchObject({ refused: { maximum: 10_000 }, accepted: 100, endsSafely: false });
    expect(scan(`${text}${JSON.stringify(answer("m2", 20_000))}\n`).refused).toBeUndefined();
  });

  test("estimates the size of results that no request has measured", () => {
    const [, last] = shown(prompt("p"), answer("m1", 100, call("a")), result("a", "x".repeat(3_000)));
    const tokens = Number(last?.split(" ")[3]);
    expect(tokens).toBeGreaterThan(1_000);
    expect(tokens).toBeLessThan(1_300);
  });

  test("after a compaction, counts what the next request counted", () => {
    const lines = [
      prompt("p"),
      answer("m1", 90_000),
      { type: "system", subtype: "compact_boundary", uuid: "b" },
      prompt("summary", { isCompactSummary: true }),
      prompt("and now"),
      answer("m2", 500),
    ];
    expect(shown(...lines)).toEqual([
      "1 prompt 1 90000",
      "2 turn 1 90010",
      "4 turn 1 500",
      "5 prompt 2 500",
      "6 turn 2 510",
    ]);
  });

  test("leaves out subagents, commands of the client, errors and an unfinished line", () => {
    const lines = [
      prompt("p"),
      answer("m1", 100),
      { ...answer("s1", 9, call("z")), isSidechain: true },
      prompt("<command-name>/cost</command-name>"),
      refusal("other"),
      prompt("next"),
    ];
    expect(shown(...lines)).toEqual(["1 prompt 1 100", "2 turn 1 110"]);
    expect(scan('{"type":"user","uuid":"x","message":{"content":"torn"').points).toEqual([]);
  });

  test.each(claudeVersions)("finds every step and turn that Claude Code %s recorded", (version) => {
    const path = join(import.meta.dir, "../../fixtures/transcripts", version, "conversation.jsonl");
    const text = readFileSync(path, "utf8");
    const { points, turns, endsSafely } = scan(text);
    expect(turns).toBe(5);
    expect(endsSafely).toBe(false);
    expect(points.map(({ kind, turn }) => `${kind} ${turn}`)).toEqual([
      "prompt 1",
      "step 1",
      "step 1",
      "step 1",
      "turn 1",
      "prompt 2",
      "turn 2",
      "prompt 3",
      "turn 3",
      // After the compaction.
      "turn 3",
      "prompt 4",
      "turn 4",
    ]);
    // Every point is the end of a line.
    const bytes = Buffer.from(text);
    for (const { size } of points) expect(bytes[size - 1]).toBe(0x0a);
  });
});
