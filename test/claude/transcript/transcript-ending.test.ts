import { describe, expect, test } from "bun:test";
import { readEnding } from "../../../src/claude/transcript/transcript-ending.ts";
import type { FinalError } from "../../../src/core/restart/final-error.ts";

const now = Date.parse("2026-11-16T01:00:00Z");
const clock = { now, zone: "UTC", latestReset: now + 8 * 24 * 3_600_000, latestSpendReset: now + 32 * 24 * 3_600_000 };
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
  version: "2.1.326",
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

describe("classifies a final error by its fields, otherwise by its text", () => {
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
    [
      error("Spending cap reached resets 2:25am"),
      { kind: "limit", of: "spend", resetsAt: Date.parse("2026-11-16T02:25:00Z") },
    ],
    [
      error("API Error: Request rejected (429) · slow down", { error: "rate_limit", apiErrorStatus: 429 }),
      { kind: "server" },
    ],
    [error('API Error: 429 {"type":"error"}', { error: "unknown" }), { kind: "server" }],
    [error("You've hit your limit", { error: "rate_limit" }), unknown],
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
    // A failed compaction: only an earlier state helps.
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

describe("finds no final error", () => {
  const limit = error("You've hit your limit · resets 2am (UTC)", { error: "rate_limit" });
  test("when the conversation continued", () => {
    expect(read(limit, claude("But then it worked."))).toMatchObject({ finalError: undefined, answered: true });
    expect(read(limit, user("again"))).toMatchObject({ finalError: undefined, midTurn: true });
  });
  test("when Claude only talks about limits", () => {
    expect(read(claude("You've hit your limit · resets 2am (UTC)")).finalError).toBeUndefined();
    expect(read(user("Prompt is too long")).finalError).toBeUndefined();
  });
  test("when it is from before this attempt, or a subagent's", () => {
    expect(read({ ...limit, timestamp: time(-5) })).toMatchObject({
      finalError: undefined,
      spoken: true,
      answered: false,
    });
    expect(read(claude("ok"), { ...limit, isSidechain: true }).finalError).toBeUndefined();
  });
});

describe("a wrap-up near the limit", () => {
  const note = (usageLimitNote: string) => user("[Usage limit approaching.]", { isMeta: true, usageLimitNote });
  const wrappedUp: FinalError = { kind: "limit", resetsAt: undefined, behind: "wrap-up" };
  const toolResult = user("", { message: { content: [{ type: "tool_result" }] } });
  test.each<[string, object[], FinalError | undefined]>([
    ["near the limit", [user("hi"), call, note("near_limit"), claude("Remaining: two")], wrappedUp],
    ["in a grace window", [user("hi"), note("wrap_up"), claude("Remaining: two")], wrappedUp],
    ["with steps after the note", [note("wrap_up"), call, toolResult, claude("Remaining: two")], wrappedUp],
    ["with a notice after it", [note("wrap_up"), user("<task-notification>"), claude("It ended")], wrappedUp],
    ["with a command of the user after it", [note("wrap_up"), claude("Bye"), user("<command-name>/cost")], wrappedUp],
    ["in an earlier turn", [note("wrap_up"), claude("Bye"), user("go on"), claude("Done")], undefined],
    ["after which the client continued", [note("wrap_up"), note("release"), claude("Done")], undefined],
    ["that Claude has not answered", [call, toolResult, note("near_limit")], undefined],
    ["interrupted by the user", [note("wrap_up"), call, user("[Request interrupted by user]")], undefined],
    ["in an earlier attempt", [{ ...note("wrap_up"), timestamp: time(-5) }, claude("Done")], undefined],
    ["of a subagent", [{ ...note("wrap_up"), isSidechain: true }, claude("Done")], undefined],
  ])("%s", (_, entries, expected) => {
    expect(read(...entries).finalError).toEqual(expected);
  });

  test("is not the cause when an error follows", () => {
    const kinds = read(note("wrap_up"), claude("Bye"), error("Credit balance is too low")).finalError?.kind;
    expect(kinds).toBe("billing");
  });
});

test("reads why a hook ended the turn", () => {
  const attachment = { type: "hook_stopped_continuation", message: "Enough." };
  expect(read(call, { type: "attachment", attachment }).hookReason).toBe("Enough.");
  expect(read({ type: "attachment", attachment }, user("go on"), claude("Done")).hookReason).toBeUndefined();
});

describe("the state at the end", () => {
  test.each<[string, object[], boolean]>([
    ["answered", [user("hi"), claude("hello")], false],
    ["a prompt without an answer", [claude("hello"), user("and now?")], true],
    ["a tool call without its result", [user("hi"), call], true],
    ["a result without an answer", [call, user("", { message: { content: [{ type: "tool_result" }] } })], true],
    ["interrupted by the user", [call, user("[Request interrupted by user for tool use]")], false],
    ["a local command", [claude("hello"), user("<command-name>/model</command-name>")], false],
    ["a shell command of the user", [claude("hello"), user("<bash-input>ls</bash-input>")], false],
    ["nothing", [bookkeeping], false],
  ])("%s", (_, entries, midTurn) => {
    expect(read(...entries).midTurn).toBe(midTurn);
  });

  test("an answer before this attempt is no progress, but the session can be resumed", () => {
    const old = read(claude("hello", { timestamp: time(-5) }), user("hi"));
    expect(old).toMatchObject({ answered: false, spoken: true, midTurn: true });
    expect(read(claude("hello"))).toMatchObject({ answered: true, version: "2.1.326" });
    expect(read(bookkeeping)).toMatchObject({ answered: false, spoken: false });
  });

  test.each<[string, object[], number | undefined]>([
    ["an answer", [user("hi"), claude("hello", { timestamp: time(2) })], 2],
    ["an answer before an error", [claude("hello", { timestamp: time(2) }), error("oh", { timestamp: time(3) })], 2],
    ["a prompt after an error", [error("oh", { timestamp: time(3) }), user("again", { timestamp: time(4) })], 4],
    [
      "a local command after an error",
      [user("hi"), error("oh"), user("<command-name>/model", { timestamp: time(4) })],
      0,
    ],
    ["only an error", [error("oh")], undefined],
    ["an answer before this attempt", [claude("hello", { timestamp: time(-5) })], undefined],
  ])("knows when the conversation last moved on: %s", (_, entries, minutes) => {
    const expected = minutes === undefined ? undefined : Date.parse(time(minutes));
    expect(read(...entries).continuedAt).toBe(expected);
  });

  test("filler text of the client is not an answer", () => {
    const filler = { message: { model: "<synthetic>", content: [{ type: "text", text: "No response requested." }] } };
    expect(read(user("hi"), claude("", filler))).toMatchObject({ answered: false, spoken: true });
  });

  test("skips torn and foreign lines", () => {
    const lines = ['{"type":"assis', "[]", "", JSON.stringify(user("hi"))];
    expect(readEnding(lines, now - 1, clock).spoken).toBe(true);
  });
});

describe("the user's /exit at the end of a conversation, as older clients write it", () => {
  const tooLong = error("Prompt is too long");
  const caveat = user("<local-command-caveat>Caveat: …</local-command-caveat>", { isMeta: true });
  const command = (name: string) => user(`<command-name>${name}</command-name>`);
  const answer = user("<local-command-stdout>Bye!</local-command-stdout>");
  test.each<[string, object[], FinalError["kind"] | undefined]>([
    ["/exit with its answer", [caveat, command("/exit"), answer], "too-long"],
    ["/quit", [caveat, command("/quit")], "too-long"],
    ["another command", [caveat, command("/model"), answer], undefined],
    ["a prompt before it", [user("More"), caveat, command("/exit"), answer], undefined],
  ])("%s", (_, entries, kind) => {
    expect(read(user("Go"), tooLong, ...entries).finalError?.kind).toBe(kind);
  });
});
