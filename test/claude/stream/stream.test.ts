import { describe, expect, test } from "bun:test";
import { readStreamLine, type StreamEvent } from "../../../src/claude/stream/stream.ts";
import { claudeVersions } from "../../support/sandbox/claude-versions.ts";
import { farReset, limitTalk, type StreamName } from "../../support/transcripts/record-streams.ts";
import { storedStream } from "../../support/transcripts/stored-stream.ts";

describe.each([...claudeVersions])("a stream of Claude Code %s", (version) => {
  const read = async (name: StreamName): Promise<StreamEvent[]> =>
    (await Bun.file(storedStream(version, name)).text()).split("\n").flatMap(readStreamLine);

  test("that finished has text, calls, results, cost and version", async () => {
    const events = await read("done");
    expect(events.find(({ kind }) => kind === "init")).toMatchObject({ version });
    expect(events.flatMap((event) => (event.kind === "tool" ? [event.name] : []))).toEqual(["Write", "Bash"]);
    expect(events.flatMap((event) => (event.kind === "tool-result" ? [event.failed] : []))).toEqual([false, true]);
    expect(events.find(({ kind }) => kind === "text")).toMatchObject({ text: "I write the notes.", bySubagent: false });
    const result = events.findLast((event) => event.kind === "result");
    expect(result).toMatchObject({ isError: false, subtype: "success" });
    expect(result?.costUsd).toBeGreaterThan(0);
    expect(events.some(({ kind }) => kind === "failure" || kind === "limit")).toBe(false);
  });

  test("that only talks about limits has no error and no limit", async () => {
    const events = await read("talks-of-limits");
    expect(events.find(({ kind }) => kind === "text")).toMatchObject({ text: limitTalk });
    expect(events.some(({ kind }) => kind === "failure" || kind === "limit")).toBe(false);
  });

  test("at a limit has the client's error and, if the version sends it, the event with the reset", async () => {
    const events = await read("limit");
    expect(events.findLast((event) => event.kind === "failure")?.facts.error).toBe("rate_limit");
    const limit = events.find((event) => event.kind === "limit");
    expect(limit?.resetsAt).toBe(version === "2.1.36" ? undefined : farReset);
    expect(events.findLast((event) => event.kind === "result")?.isError).toBe(true);
  });

  test("reports used-up turns or budget", async () => {
    const ends = [...(await read("turns")), ...(await read("budget"))].filter((event) => event.kind === "result");
    expect(ends.map(({ subtype }) => subtype)).toEqual(["error_max_turns", "error_max_budget_usd"]);
  });
});

const one = (fields: object): StreamEvent[] => readStreamLine(JSON.stringify(fields));
const words = (text: string) => [{ type: "text", text }];

describe("the client's own text is an error when a field marks it", () => {
  const line = { type: "assistant", message: { model: "<synthetic>", content: words("API Error: 529") } };
  test.each([{ is_api_error_message: true }, { isApiErrorMessage: true }, { error: "unknown" }])("%p", (field) => {
    expect(one({ ...line, ...field })).toMatchObject([{ kind: "failure", facts: { text: "API Error: 529" } }]);
  });
  test("is plain text without such a field", () => {
    expect(one(line)).toEqual([{ kind: "text", text: "API Error: 529", bySubagent: false }]);
  });
  test("the model's text never is", () => {
    const message = { model: "claude", content: words("API Error: 529") };
    expect(one({ ...line, message, error: "unknown", is_api_error_message: true })).toMatchObject([{ kind: "text" }]);
  });
  test("the error of a subagent is not one of the conversation", () => {
    expect(one({ ...line, is_api_error_message: true, parent_tool_use_id: "toolu_1" })).toEqual([]);
  });
  test("reads the error's fields, the reset in seconds", () => {
    const params = { rate_limit_info: { resetsAt: 1_794_844_800 } };
    const fields = { error: "rate_limit", api_error_status: 429, error_details: "more", api_error_params: params };
    expect(one({ ...line, ...fields })).toMatchObject([
      { facts: { error: "rate_limit", status: 429, details: "more", quotaResetsAt: 1_794_844_800_000 } },
    ]);
  });
});

test("marks text and calls of a subagent", () => {
  const content = [...words("Hello"), { type: "tool_use", id: "t", name: "Bash", input: { command: "ls" } }];
  const line = { type: "assistant", message: { model: "claude", content } };
  expect(one({ ...line, parent_tool_use_id: "toolu_1" })).toMatchObject([{ bySubagent: true }, { bySubagent: true }]);
  expect(one({ ...line, parent_tool_use_id: null })).toMatchObject([{ bySubagent: false }, { bySubagent: false }]);
});

test("reads content that is a string", () => {
  const message = { model: "claude", content: "Hello" };
  expect(one({ type: "assistant", message })).toEqual([{ kind: "text", text: "Hello", bySubagent: false }]);
});

describe("a limit event", () => {
  const limits = (info: object): StreamEvent[] =>
    one({ type: "rate_limit_event", rate_limit_info: info }).filter(({ kind }) => kind === "limit");
  const resetsAt = 1_794_844_800;
  test("is a limit when requests are rejected, but not with paid overage", () => {
    expect(limits({ status: "rejected", resetsAt })).toEqual([
      { kind: "limit", resetsAt: 1_794_844_800_000, isOfPlan: false },
    ]);
    expect(limits({ status: "rejected", resetsAt, rateLimitType: "seven_day" })).toMatchObject([{ isOfPlan: true }]);
    expect(limits({ status: "rejected", resetsAt, isUsingOverage: false })).toHaveLength(1);
    expect(limits({ status: "rejected", resetsAt, isUsingOverage: true })).toEqual([]);
    expect(limits({ status: "allowed_warning", resetsAt })).toEqual([]);
  });
  test.each([0, -1, 1_794_844_800_000, "soon", null])("has no reset when resetsAt is %p", (when) => {
    expect(limits({ status: "rejected", resetsAt: when })).toMatchObject([{ kind: "limit", resetsAt: undefined }]);
  });
});

test("reads the delay and the status of a retry", () => {
  const line = { type: "system", subtype: "api_retry", attempt: 2, max_retries: 10, retry_delay_ms: 500 };
  expect(one({ ...line, error_status: 529 })).toEqual([
    { kind: "retry", attempt: 2, maxRetries: 10, delay: 500, status: 529 },
  ]);
  expect(one({ ...line, error_status: null })).toMatchObject([{ status: undefined }]);
});

describe("a result", () => {
  const result = { type: "result", subtype: "success", is_error: false, result: "Done.", num_turns: 2 };
  test("counts only the cost since the last result when the client reports a total", () => {
    const usage = { opus: { costUSD: 0.25 }, haiku: { costUSD: 0.5 }, broken: { costUSD: "1" } };
    const costs = { total_cost_usd: 9, model_usage_since_last_result: usage };
    expect(one({ ...result, ...costs })).toMatchObject([{ kind: "result", costUsd: 0.75 }]);
    expect(one({ ...result, total_cost_usd: 9 })).toMatchObject([{ kind: "result", costUsd: 9 }]);
  });
  test("lists every denied tool once", () => {
    const denials = ["Bash", "Write", "Bash"].map((tool_name) => ({ tool_name }));
    expect(one({ ...result, permission_denials: denials })[0]).toEqual({ kind: "denied", tools: ["Bash", "Write"] });
    expect(one({ ...result, permission_denials: [] })).toMatchObject([{ kind: "result", text: "Done.", turns: 2 }]);
  });
});
