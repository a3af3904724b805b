import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkpointsDirectory } from "../../../src/claude/paths.ts";
import { writeUsageState } from "../../../src/store/checkpoints/usage-state.ts";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { currentClock, readTranscriptEnd, readTranscriptEnding } from "../../../src/app/session/transcript-end.ts";

const now = Date.parse("2026-11-16T12:00:00Z");
const environment = { ...currentEnvironment({ HOME: "/nonexistent" }), now: () => now };

const prompt = { type: "user", timestamp: "2026-11-16T11:00:00Z", message: { content: "Hello" } };
const limit = {
  type: "assistant",
  timestamp: "2026-11-16T11:30:00Z",
  isApiErrorMessage: true,
  error: "rate_limit",
  message: { content: [{ type: "text", text: "You've hit your limit · resets in 30m" }] },
};

function withTranscript(entries: readonly object[], body: (path: string) => void): void {
  const directory = mkdtempSync(join(tmpdir(), "transcript-end-"));
  try {
    const path = join(directory, "transcript.jsonl");
    writeFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    body(path);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test("reads the limit and its reset time at the end", () => {
  withTranscript([prompt, limit], (path) => {
    const finalError = { kind: "limit", resetsAt: now + 30 * 60_000 } as const;
    expect(readTranscriptEnding(environment, path)).toMatchObject({ finalError, spoken: true });
    expect(readTranscriptEnd(environment, path, 0)?.ending).toMatchObject({ finalError });
  });
});

test("takes the reset of a wrap-up from the account's recorded usage", () => {
  const note = { ...prompt, isMeta: true, usageLimitNote: "near_limit" };
  const answer = {
    type: "assistant",
    timestamp: prompt.timestamp,
    message: { content: [{ type: "text", text: "Bye" }] },
  };
  withTranscript([prompt, note, answer], (path) => {
    const known = { ...environment, claudeConfig: dirname(path) };
    expect(readTranscriptEnding(known, path)?.finalError).toEqual({
      kind: "limit",
      resetsAt: undefined,
      behind: "wrap-up",
    });
    const usage = { five_hour: { percent: 97, resetsAt: now + 60_000 } };
    const state = { version: 1, time: now, sessionId: "s", contextPercent: null, usage, saved: [] } as const;
    writeUsageState(checkpointsDirectory(known.claudeConfig), { ...state, saved: [] });
    expect(readTranscriptEnding(known, path)?.finalError).toMatchObject({ resetsAt: now + 60_000 });
  });
});

describe("a limit that only a subagent reached", () => {
  const answer = {
    type: "assistant",
    timestamp: "2026-11-16T11:45:00Z",
    message: { content: [{ type: "text", text: "It could not." }] },
  };
  const later = { ...prompt, timestamp: "2026-11-16T11:40:00Z" };
  const work = { ...limit, isApiErrorMessage: false, isSidechain: true };
  const finalErrorOf = (conversation: readonly object[], subagent: readonly object[], isFinished = false) => {
    let found: unknown;
    withTranscript(conversation, (path) => {
      const directory = join(dirname(path), "transcript/subagents");
      mkdirSync(directory, { recursive: true });
      const lines = subagent.map((entry) => `${JSON.stringify({ ...entry, isSidechain: true })}\n`);
      writeFileSync(join(directory, "agent-a1.jsonl"), lines.join(""));
      found = readTranscriptEnd(environment, path, 0, isFinished)?.ending.finalError;
    });
    return found;
  };

  const expected = { kind: "limit", resetsAt: now + 30 * 60_000, behind: "subagent" };

  test("counts when the turn ended without an error", () => {
    expect(finalErrorOf([prompt, answer], [work, limit])).toEqual(expected);
  });

  test("counts when the stream has the answer that the client did not write before it exited", () => {
    const call = { ...answer, message: { content: [{ type: "tool_use", id: "t", name: "Task", input: {} }] } };
    expect(finalErrorOf([prompt, call], [work, limit])).toBeUndefined();
    expect(finalErrorOf([prompt, call], [work, limit], true)).toEqual(expected);
  });

  test.each<[string, object[], object[]]>([
    ["when the subagent continued after it", [prompt, answer], [limit, work]],
    [
      "when the subagent failed for another reason",
      [prompt, answer],
      [{ ...limit, error: "server_error", message: {} }],
    ],
    ["when it was in an earlier turn", [prompt, answer, later, answer], [limit]],
    ["while Claude is at work", [prompt], [limit]],
  ])("does not count %s", (_, conversation, subagent) => {
    expect(finalErrorOf(conversation, subagent)).toBeUndefined();
  });
});

test("ignores an error from before `since`", () => {
  withTranscript([prompt, limit], (path) => {
    expect(readTranscriptEnding(environment, path, { since: now })?.finalError).toBeUndefined();
  });
});

test("reads no further than `maxSize`", () => {
  withTranscript([prompt, limit], (path) => {
    const maxSize = JSON.stringify(prompt).length + 1;
    expect(readTranscriptEnding(environment, path, { maxSize })).toMatchObject({
      finalError: undefined,
      midTurn: true,
    });
  });
});

test("returns nothing for a missing file", () => {
  expect(readTranscriptEnding(environment, "/nonexistent/transcript.jsonl")).toBeUndefined();
});

test("uses the time zone of this machine", () => {
  expect(currentClock(environment).zone).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
});
