import { describe, expect, test } from "bun:test";
import { readEnding } from "../../src/claude/transcript-ending.ts";
import type { FinalError } from "../../src/core/final-error.ts";
import { parseResetTime } from "../../src/core/reset-time.ts";

const now = Date.parse("2026-11-16T01:00:00Z");
const clock = { now, zone: "UTC", parseReset: parseResetTime };
const time = (minutes: number): string => new Date(now + minutes * 60_000).toISOString();

const user = (text: string, more: object = {}) => ({
  type: "user",
  timestamp: time(0),
  message: { content: text },
  ...more,
});
const claude = (text: string, more: object = {}) => ({
  type: "assistant",
  timestamp: time(0),
  version: "2.1.325",
  message: { model: "claude", content: [{ type: "text", text }] },
  ...more,
});
const error = (text: string, more: object = {}) =>
  claude(text, {
    isApiErrorMessage: true,
    message: { model: "<synthetic>", content: [{ type: "text", text }] },
    ...more,
  });
const call = claude("", {
  message: { model: "claude", content: [{ type: "tool_use", id: "1", name: "Bash", input: {} }] },
});
const bookkeeping = { type: "last-prompt" };

const read = (...entries: object[]) =>
  readEnding(entries.map((entry) => JSON.stringify(entry)).toReversed(), now - 1, clock);

describe("a final error is classified by its fields, else by the client's own words", () => {
  const limit = (at: string): FinalError => ({ kind: "limit", resetsAt: Date.parse(at) });
  const unknown: FinalError = { kind: "limit", resetsAt: undefined };
  test.each<[object, FinalError]>([
    [
      error("5-hour limit · resets 2am (UTC)", { error: "rate_limit", quotaLimits: { resetsAt: 1_794_795_878 } }),
      { kind: "limit", resetsAt: 1_794_795_878_000 },
    ],
    [
      error("You've hit your limit", { apiErrorParams: { rate_limit_info: { resetsAt: 1_794_795_878 } } }),
      { kind: "limit", resetsAt: 1_794_795_878_000 },
    ],
    [
      error("You've hit your session limit · resets 2:28am (UTC)", { error: "rate_limit" }),
      limit("2026-11-16T02:28:00Z"),
    ],
    [error("Session limit reached ∙ resets 2:28am"), limit("2026-11-16T02:28:00Z")],
    [error("Weekly limit reached ∙ resets Nov 19, 12:48pm"), limit("2026-11-19T12:48:00Z")],
    [error("Spending cap reached resets 2:25am"), limit("2026-11-16T02:25:00Z")],
    [error("API Error: Request rejected (429) · slow down", { error: "rate_limit", apiErrorStatus: 429 }), unknown],
    [error('API Error: 429 {"type":"error"}', { error: "unknown" }), unknown],
    [error("API Error: 529 Overloaded.", { error: "server_error", apiErrorStatus: 529 }), { kind: "server" }],
    [error('API Error: 529 {"type":"error"}', { error: "unknown" }), { kind: "server" }],
    [error("API Error: terminated"), { kind: "server" }],
    [error("API Error: Connection to the API was lost (ECONNRESET).", { error: "server_error" }), { kind: "server" }],
    [
      error("Prompt is too long", {
        error: "invalid_request",
        errorDetails: "400 prompt is too long: 210000 tokens > 200000 maximum",
      }),
      { kind: "too-long", maximum: 200_000 },
    ],
    [error("Prompt is too long"), { kind: "too-long", maximum: undefined }],
    // A compaction that failed: there is no way on but back.
    [error("Error during compaction: Error: 400"), { kind: "too-long", maximum: undefined }],
    [error("Conversation too long. Press esc twice to go up."), { kind: "too-long", maximum: undefined }],
    [error("Invalid API key · Fix external API key", { error: "authentication_failed" }), { kind: "authentication" }],
    [error('API Error: 401 {"type":"error"}'), { kind: "authentication" }],
    [error("Credit balance is too low", { error: "billing_error" }), { kind: "billing" }],
    [error("API Error: 400 something else", { error: "invalid_request", apiErrorStatus: 400 }), { kind: "other" }],
  ])("%#", (entry, expected) => {
    expect(read(user("hi"), entry, bookkeeping).finalError).toEqual(expected);
  });
});

describe("no final error", () => {
  const limit = error("You've hit your limit · resets 2am (UTC)", { error: "rate_limit" });
  test("when the conversation went on", () => {
    expect(read(limit, claude("But then it worked."))).toMatchObject({ finalError: undefined, answered: true });
    expect(read(limit, user("again"))).toMatchObject({ finalError: undefined, midTurn: true });
  });
  test("when Claude only talks about limits", () => {
    expect(read(claude("You've hit your limit · resets 2am (UTC)")).finalError).toBeUndefined();
    expect(read(user("Prompt is too long")).finalError).toBeUndefined();
  });
  test("when it is from before this run, or a subagent's", () => {
    expect(read({ ...limit, timestamp: time(-5) })).toMatchObject({
      finalError: undefined,
      spoken: true,
      answered: false,
    });
    expect(read(claude("ok"), { ...limit, isSidechain: true }).finalError).toBeUndefined();
  });
});

describe("how it stood", () => {
  test.each<[string, object[], boolean]>([
    ["answered", [user("hi"), claude("hello")], false],
    ["a prompt without an answer", [claude("hello"), user("and now?")], true],
    ["a tool call without its result", [user("hi"), call], true],
    ["a result without an answer", [call, user("", { message: { content: [{ type: "tool_result" }] } })], true],
    ["broken off by the user", [call, user("[Request interrupted by user for tool use]")], false],
    ["a local command", [claude("hello"), user("<command-name>/model</command-name>")], false],
    ["a command of the user's own shell", [claude("hello"), user("<bash-input>ls</bash-input>")], false],
    ["nothing", [bookkeeping], false],
  ])("%s", (_, entries, midTurn) => {
    expect(read(...entries).midTurn).toBe(midTurn);
  });

  test("an answer before this run is no progress, but something to go on with", () => {
    const old = read(claude("hello", { timestamp: time(-5) }), user("hi"));
    expect(old).toMatchObject({ answered: false, spoken: true, midTurn: true });
    expect(read(claude("hello"))).toMatchObject({ answered: true, version: "2.1.325" });
    expect(read(bookkeeping)).toMatchObject({ answered: false, spoken: false });
  });

  test("what the client says in Claude's place is no answer", () => {
    const filler = { message: { model: "<synthetic>", content: [{ type: "text", text: "No response requested." }] } };
    expect(read(user("hi"), claude("", filler))).toMatchObject({ answered: false, spoken: true });
  });

  test("a torn or foreign line is passed over", () => {
    const lines = ['{"type":"assis', "[]", "", JSON.stringify(user("hi"))];
    expect(readEnding(lines, now - 1, clock).spoken).toBe(true);
  });
});
