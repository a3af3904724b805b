import { describe, expect, test } from "bun:test";
import { OwnRetries } from "../../../src/claude/stream/own-retries.ts";
import { readStreamLine } from "../../../src/claude/stream/stream.ts";

const now = 1_794_965_357_464;

/** What the lines of a stream say about the client's own waits. */
function read(lines: readonly object[], { isSwitchedOn = true } = {}): object[] {
  const retries = new OwnRetries(isSwitchedOn);
  return lines
    .flatMap((line) => readStreamLine(JSON.stringify(line)))
    .flatMap((event) => retries.take(event, now) ?? []);
}

const rejected = {
  type: "rate_limit_event",
  rate_limit_info: { status: "rejected", resetsAt: 1_794_965_363, rateLimitType: "five_hour", isUsingOverage: false },
};
const retry = (attempt: number, delay: number, status: number) => ({
  type: "system",
  subtype: "api_retry",
  attempt,
  max_retries: 1,
  retry_delay_ms: delay,
  error_status: status,
});
const answer = { type: "assistant", message: { content: [{ type: "text", text: "Went on." }] } };

describe("a limit", () => {
  test("is reported with its reset and a retry by 2.1.326", () => {
    expect(read([rejected, retry(1, 5_536, 429), answer])).toEqual([
      { kind: "retrying", why: "limit", until: 1_794_965_363_000 },
      { kind: "answered" },
    ]);
  });

  test("is reported by the delay of the retry alone by 2.1.197", () => {
    expect(read([retry(1, 5_563, 429)])).toEqual([{ kind: "retrying", why: "limit", until: now + 5_563 }]);
  });

  test("is not a retry after the usual backoff, nor any retry of a client that does not wait", () => {
    expect(read([retry(1, 575, 429)])).toEqual([]);
    expect(read([retry(1, 20_000, 429)], { isSwitchedOn: false })).toEqual([]);
  });

  test("without a reset is recognized after a few retries", () => {
    expect(read([retry(3, 2_290, 429), retry(4, 4_123, 429)]).at(-1)).toEqual({ kind: "endless" });
    expect(read([retry(4, 4_123, 429)], { isSwitchedOn: false })).toEqual([]);
  });
});

describe("a failing API", () => {
  test("is waited for when the usual attempts are used up", () => {
    expect(read([retry(1, 578, 529), retry(2, 1_235, 529), answer])).toEqual([
      { kind: "retrying", why: "server", until: now + 1_235 },
      { kind: "answered" },
    ]);
  });

  test("ends the attempt of a client that does not wait", () => {
    expect(read([retry(1, 578, 529), retry(2, 1_235, 529)], { isSwitchedOn: false })).toEqual([]);
  });
});
