// The stored streams stand for the real clients in other tests. Made anew by RECORD_STREAMS=1.
import { expect, test } from "bun:test";
import { readAttemptEnd } from "../../src/claude/attempt-end.ts";
import { readStreamLine, type StreamEvent } from "../../src/claude/stream.ts";
import { readEnding } from "../../src/claude/transcript-ending.ts";
import type { AttemptEnd } from "../../src/core/signal.ts";
import { parseResetTime } from "../../src/core/reset-time.ts";
import { forEachClaude } from "../support/claude-versions.ts";
import { farReset, recordStream, type StreamName, streamNames } from "../support/record-streams.ts";
import { storedStream } from "../support/stored-stream.ts";

const expected: Record<StreamName, AttemptEnd> = {
  done: { kind: "finished" },
  tasks: { kind: "finished" },
  "talks-of-limits": { kind: "finished" },
  recovered: { kind: "finished" },
  limit: { kind: "limit", resetsAt: farReset },
  "key-limit": { kind: "server" },
  overloaded: { kind: "server" },
  dropped: { kind: "server" },
  "too-long": { kind: "overload" },
  unauthorized: { kind: "authentication" },
  credit: { kind: "billing" },
  turns: { kind: "turns" },
  budget: { kind: "budget" },
};

const lines = (text: string): string[] => text.split("\n").filter(Boolean);
const eventsIn = (text: string): StreamEvent[] => lines(text).flatMap(readStreamLine);
/** What is said, without what differs from one time to the next. When a retry is told, and how often, is a race. */
const summary = (text: string): string[] =>
  eventsIn(text)
    .filter(({ kind }) => kind !== "retry" && kind !== "usage")
    .map((event) => (event.kind === "text" ? `text ${event.text}` : event.kind));

forEachClaude((version) => {
  test.each(streamNames)("%s: today's stream reads like the stored one, and is judged right", async (name) => {
    const { stream, transcript, exitCode } = await recordStream(version, name);
    if (process.env["RECORD_STREAMS"]) await Bun.write(storedStream(version, name), stream);
    expect(summary(stream)).toEqual(summary(await Bun.file(storedStream(version, name)).text()));

    const events = eventsIn(stream);
    const clock = { now: farReset - 3_600_000, zone: "UTC", parseReset: parseResetTime };
    const end = readAttemptEnd(
      {
        exitCode: exitCode ?? 1,
        signal: undefined,
        began: events.some(({ kind }) => kind === "init"),
        result: events.findLast((event) => event.kind === "result"),
        failure: events.findLast((event) => event.kind === "failure")?.facts,
        limitResetsAt: events.findLast((event) => event.kind === "limit")?.resetsAt,
        ending: readEnding(lines(transcript).toReversed(), 0, clock),
      },
      clock,
    );
    expect(end).toEqual(expected[name]);
  });
});
