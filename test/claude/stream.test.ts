import { describe, expect, test } from "bun:test";
import { readStreamLine, type StreamEvent } from "../../src/claude/stream.ts";
import { claudeVersions } from "../support/claude-versions.ts";
import { farReset, limitTalk, type StreamName } from "../support/record-streams.ts";
import { storedStream } from "../support/stored-stream.ts";

describe.each([...claudeVersions])("a stream of Claude Code %s", (version) => {
  const read = async (name: StreamName): Promise<StreamEvent[]> =>
    (await Bun.file(storedStream(version, name)).text()).split("\n").flatMap(readStreamLine);

  test("that is done has its words, calls, results, cost and version", async () => {
    const events = await read("done");
    expect(events.find(({ kind }) => kind === "init")).toMatchObject({ version });
    expect(events.flatMap((event) => (event.kind === "tool" ? [event.name] : []))).toEqual(["Write", "Bash"]);
    expect(events.flatMap((event) => (event.kind === "tool-result" ? [event.failed] : []))).toEqual([false, true]);
    expect(events.find(({ kind }) => kind === "text")).toMatchObject({ text: "I write the notes.", aside: false });
    const result = events.findLast((event) => event.kind === "result");
    expect(result).toMatchObject({ isError: false, subtype: "success" });
    expect(result?.costUsd).toBeGreaterThan(0);
    expect(events.some(({ kind }) => kind === "failure" || kind === "limit")).toBe(false);
  });

  test("that only talks of limits has no error and no limit", async () => {
    const events = await read("talks-of-limits");
    expect(events.find(({ kind }) => kind === "text")).toMatchObject({ text: limitTalk });
    expect(events.some(({ kind }) => kind === "failure" || kind === "limit")).toBe(false);
  });

  test("at a limit has the client's error and, where there is one, the event with its reset", async () => {
    const events = await read("limit");
    expect(events.findLast((event) => event.kind === "failure")?.facts.error).toBe("rate_limit");
    const told = events.find((event) => event.kind === "limit");
    expect(told?.resetsAt).toBe(version === "2.1.36" ? undefined : farReset);
    expect(events.findLast((event) => event.kind === "result")?.isError).toBe(true);
  });

  test("whose turns or budget are used up says so", async () => {
    const ends = [...(await read("turns")), ...(await read("budget"))].filter((event) => event.kind === "result");
    expect(ends.map(({ subtype }) => subtype)).toEqual(["error_max_turns", "error_max_budget_usd"]);
  });
});

const one = (fields: object): StreamEvent[] => readStreamLine(JSON.stringify(fields));
const words = (text: string) => [{ type: "text", text }];

describe("the client's own words are an error, whichever field of its version says so", () => {
  const line = { type: "assistant", message: { model: "<synthetic>", content: words("API Error: 529") } };
  test.each([{ is_api_error_message: true }, { isApiErrorMessage: true }, { error: "unknown" }])("%p", (field) => {
    expect(one({ ...line, ...field })).toMatchObject([{ kind: "failure", facts: { text: "API Error: 529" } }]);
  });
  test("without any of them they are words", () => {
    expect(one(line)).toEqual([{ kind: "text", text: "API Error: 529", aside: false }]);
  });
  test("a model's words never are", () => {
    const message = { model: "claude", content: words("API Error: 529") };
    expect(one({ ...line, message, error: "unknown", is_api_error_message: true })).toMatchObject([{ kind: "text" }]);
  });
  test("a subagent's error is not the run's", () => {
    expect(one({ ...line, is_api_error_message: true, parent_tool_use_id: "toolu_1" })).toEqual([]);
  });
  test("its fields are read, the reset in seconds", () => {
    const params = { rate_limit_info: { resetsAt: 1_794_844_800 } };
    const fields = { error: "rate_limit", api_error_status: 429, error_details: "more", api_error_params: params };
    expect(one({ ...line, ...fields })).toMatchObject([
      { facts: { error: "rate_limit", status: 429, details: "more", quotaResetsAt: 1_794_844_800_000 } },
    ]);
  });
});

test("what a subagent says and calls is told apart", () => {
  const content = [...words("Hello"), { type: "tool_use", id: "t", name: "Bash", input: { command: "ls" } }];
  const line = { type: "assistant", message: { model: "claude", content } };
  expect(one({ ...line, parent_tool_use_id: "toolu_1" })).toMatchObject([{ aside: true }, { aside: true }]);
  expect(one({ ...line, parent_tool_use_id: null })).toMatchObject([{ aside: false }, { aside: false }]);
});

test("words that are no list of blocks are words", () => {
  const message = { model: "claude", content: "Hello" };
  expect(one({ type: "assistant", message })).toEqual([{ kind: "text", text: "Hello", aside: false }]);
});

describe("an event about the limit", () => {
  const limits = (info: object): StreamEvent[] =>
    one({ type: "rate_limit_event", rate_limit_info: info }).filter(({ kind }) => kind === "limit");
  const resetsAt = 1_794_844_800;
  test("stands in the way when it is rejected, and not when it is paid for beyond the limit", () => {
    expect(limits({ status: "rejected", resetsAt })).toEqual([{ kind: "limit", resetsAt: 1_794_844_800_000 }]);
    expect(limits({ status: "rejected", resetsAt, isUsingOverage: false })).toHaveLength(1);
    expect(limits({ status: "rejected", resetsAt, isUsingOverage: true })).toEqual([]);
    expect(limits({ status: "allowed_warning", resetsAt })).toEqual([]);
  });
  test.each([0, -1, 1_794_844_800_000, "soon", null])("that ends at %p does not say when", (when) => {
    expect(limits({ status: "rejected", resetsAt: when })).toEqual([{ kind: "limit", resetsAt: undefined }]);
  });
});

test("a retry tells when it comes, and after what", () => {
  const line = { type: "system", subtype: "api_retry", attempt: 2, retry_delay_ms: 500 };
  expect(one({ ...line, error_status: 529 })).toEqual([{ kind: "retry", attempt: 2, delay: 500, status: 529 }]);
  expect(one({ ...line, error_status: null })).toMatchObject([{ status: undefined }]);
});

describe("a result", () => {
  const result = { type: "result", subtype: "success", is_error: false, result: "Done.", num_turns: 2 };
  test("costs what is new since the last one, where the client adds up the whole session", () => {
    const usage = { opus: { costUSD: 0.25 }, haiku: { costUSD: 0.5 }, broken: { costUSD: "1" } };
    const told = { total_cost_usd: 9, model_usage_since_last_result: usage };
    expect(one({ ...result, ...told })).toMatchObject([{ kind: "result", costUsd: 0.75 }]);
    expect(one({ ...result, total_cost_usd: 9 })).toMatchObject([{ kind: "result", costUsd: 9 }]);
  });
  test("names every tool that was refused, once", () => {
    const denials = ["Bash", "Write", "Bash"].map((tool_name) => ({ tool_name }));
    expect(one({ ...result, permission_denials: denials })[0]).toEqual({ kind: "denied", tools: ["Bash", "Write"] });
    expect(one({ ...result, permission_denials: [] })).toMatchObject([{ kind: "result", text: "Done.", turns: 2 }]);
  });
});
