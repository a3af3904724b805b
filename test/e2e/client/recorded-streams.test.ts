// Other tests use the stored streams in place of the real clients. RECORD_STREAMS=1 records them again.
import { expect, test } from "bun:test";
import { readAttemptEnd } from "../../../src/claude/stream/attempt-end.ts";
import { AttemptReader } from "../../../src/claude/stream/attempt-reader.ts";
import { readStreamLine, type StreamEvent } from "../../../src/claude/stream/stream.ts";
import { readEnding } from "../../../src/claude/transcript/transcript-ending.ts";
import type { AttemptEnd } from "../../../src/core/restart/signal.ts";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { farReset, recordStream, type StreamName, streamNames } from "../../support/transcripts/record-streams.ts";
import { storedStream } from "../../support/transcripts/stored-stream.ts";

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
/**
 * The events that every recording repeats. Retry events are a race, and usage numbers vary. 2.1.36 may print the tool call
 * that exceeds the budget, or stop before it.
 */
const summary = (text: string, name: StreamName): string[] =>
  eventsIn(text)
    .filter(({ kind }) => kind !== "retry" && kind !== "usage" && !(name === "budget" && kind === "tool"))
    .map((event) => (event.kind === "text" ? `text ${event.text}` : event.kind));

forEachClaude((version) => {
  test.each(streamNames)("%s: a new recording matches the stored stream and is classified correctly", async (name) => {
    const { stream, transcript, exitCode } = await recordStream(version, name);
    if (process.env["RECORD_STREAMS"]) await Bun.write(storedStream(version, name), stream);
    expect(summary(stream, name)).toEqual(summary(await Bun.file(storedStream(version, name)).text(), name));

    const events = eventsIn(stream);
    const reader = new AttemptReader();
    for (const event of events) reader.take(event);
    const clock = { now: farReset - 3_600_000, zone: "UTC", latestReset: farReset, latestSpendReset: farReset };
    const end = readAttemptEnd(
      {
        exitCode: exitCode ?? 1,
        signal: undefined,
        ...reader.evidence,
        usageResetsAt: undefined,
        ending: readEnding(lines(transcript).toReversed(), 0, clock),
      },
      clock,
    );
    expect(end).toEqual(expected[name]);
  });
});
