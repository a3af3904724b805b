import { expect, test } from "bun:test";
import { gatherEvidence } from "../../../src/app/resume/gather-evidence.ts";
import type { SessionEvent } from "../../../src/store/cclaude/session-events.ts";
import { TranscriptWorld } from "../../support/worlds/transcript-world.ts";

const started = Date.parse("2026-11-18T09:00:00Z");
const second = 1_000;
const elsewhere = "5f0c1f6e-0000-4000-8000-000000000002";

const prompt = (text: string, at: number): string =>
  JSON.stringify({
    type: "user",
    uuid: `u-${at}`,
    timestamp: new Date(at).toISOString(),
    message: { role: "user", content: text },
  });
const answer = (text: string, at: number): string =>
  JSON.stringify({
    type: "assistant",
    uuid: `a-${at}`,
    timestamp: new Date(at).toISOString(),
    message: { role: "assistant", model: "claude", content: [{ type: "text", text }] },
  });

/** A claude that a SIGKILL ended: a prompt after one second, an answer after two, and possibly a prompt at `next`. */
function failureOf(failedAt: number, { sessionId, next }: { sessionId?: string; next?: number } = {}): unknown {
  const lines = [prompt("Do it", started + second), answer("Half.", started + 2 * second)];
  if (next !== undefined) lines.push(prompt("Go on", started + next));
  using world = new TranscriptWorld(`${lines.join("\n")}\n`);
  const common = { claudePid: 1, transcriptPath: world.path, cwd: world.home };
  const events: SessionEvent[] = [
    { ...common, kind: "session", sessionId: world.sessionId, time: started, detail: null },
    {
      ...common,
      kind: "failure",
      sessionId: sessionId ?? world.sessionId,
      time: started + failedAt,
      detail: "rate_limit",
    },
    { ...common, kind: "session", sessionId: world.sessionId, time: started + 100 * second, detail: null },
  ];
  const run = { pid: 1, started, directory: world.home, segments: [], events, interactive: true };
  const end = { exitCode: 1, signal: "SIGKILL" as const, stopAsked: false, hungUp: false };
  return gatherEvidence(world.environment, run, end).words.failure;
}

test("a failure after the last message of the conversation is evidence", () => {
  expect(failureOf(10 * second)).toBe("rate_limit");
});

test("a failure that the conversation got over is no evidence", () => {
  expect(failureOf(10 * second, { next: 60 * second })).toBeNull();
});

test("a failure of another session is no evidence", () => {
  expect(failureOf(10 * second, { sessionId: elsewhere })).toBeNull();
});

test("a failure that a hook reports within five seconds of the next message may belong to the time before it", () => {
  expect(failureOf(62 * second, { next: 60 * second })).toBeNull();
  expect(failureOf(66 * second, { next: 60 * second })).toBe("rate_limit");
});
