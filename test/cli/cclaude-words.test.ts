import { describe, expect, test } from "bun:test";
import type { Note } from "../../src/app/talk.ts";
import { describeNote } from "../../src/cli/cclaude-words.ts";
import { showCountdown } from "../../src/cli/countdown.ts";
import { describeExplanation } from "../../src/cli/explain.ts";
import { formatClock, formatRemaining } from "../../src/cli/format.ts";
import type { LastDecision } from "../../src/store/last-decision.ts";

const now = new Date(2026, 10, 16, 14, 0, 0).getTime();
const until = now + 50 * 60_000;
const sessionId = "s1";

describe("every note is one line that says what and why, or what to do", () => {
  test.each<[Note, RegExp]>([
    [
      { kind: "resuming", cause: "crash", sessionId, delay: 2_000, how: "SIGKILL" },
      /\(SIGKILL\); resuming session s1 in 2s$/,
    ],
    [
      { kind: "resuming", cause: "server", sessionId, delay: 100, how: "exit code 1" },
      /^the API failed; resuming session s1$/,
    ],
    [
      { kind: "restored", sessionId, mark: 3, time: now },
      /went back to mark 3 of 14:00:00, resuming \(session-snapshot undo s1/,
    ],
    [{ kind: "waiting", sessionId, until, known: true }, /^usage limit reached; waiting until 14:50 \(50m 00s\), then/],
    [
      { kind: "waiting", sessionId, until, known: false },
      /^rate limit reached, no reset time given; waiting until 14:50/,
    ],
    [{ kind: "not-waiting", sessionId, until, known: true }, /not waiting\. Go on with: cclaude --resume s1$/],
    [{ kind: "stopped-waiting", sessionId }, /Go on with: cclaude --resume s1$/],
    [{ kind: "continuing", sessionId }, /has reset; resuming session s1$/],
    [{ kind: "gave-up", cause: "overload", sessionId }, /everything is kept\. See session-snapshot list s1$/],
    [{ kind: "gave-up", cause: "crash", sessionId }, /nothing is lost\. Go on with: cclaude --resume s1$/],
    [{ kind: "no-restore-point", sessionId }, /See session-snapshot list s1$/],
    [{ kind: "went-on-elsewhere", sessionId }, /left alone$/],
    [{ kind: "help", cause: "authentication", exitCode: 1 }, /\/login/],
    [{ kind: "help", cause: "billing", exitCode: 1 }, /credit/],
    [{ kind: "help", cause: "not-started", exitCode: 1 }, /claude --help$/],
    [{ kind: "trouble", message: "disk full" }, /disk full$/],
  ])("%j", (note, expected) => {
    const text = describeNote(note, now);
    expect(text).toMatch(expected);
    expect(text).not.toContain("\n");
  });
});

describe("the countdown", () => {
  const written = (columns: number): string => {
    let text = "";
    const countdown = showCountdown({ columns, write: (part) => (text += part) }, until, now);
    countdown.tick(25 * 60_000);
    return text;
  };
  test.each([20, 40, 70, 100, 200])("never wraps at %p columns", (columns) => {
    expect(Bun.stringWidth(Bun.stripANSI(written(columns)).replaceAll("\r", ""))).toBeLessThan(columns);
    expect(written(columns)).toContain("25m 00s");
  });
  test.each([80, 120])("says at %p columns what Ctrl-C does: to whoever only watches, it stops nothing", (columns) => {
    for (const [watches, says] of [
      [false, "Ctrl-C stops"],
      [true, "Ctrl-C leaves"],
    ] as const) {
      let text = "";
      showCountdown({ columns, write: (part) => (text += part) }, until, now, { watches }).tick(25 * 60_000);
      expect(text).toContain(says);
    }
  });
  test("shows progress to the terminal, takes it away, and calls when it is over", () => {
    let text = "";
    const countdown = showCountdown({ columns: 80, write: (part) => (text += part) }, until, now);
    countdown.tick(25 * 60_000);
    expect(text).toContain("\x1b]9;4;1;50\x07");
    text = "";
    countdown.end(true);
    expect(text).toContain("\x1b]9;4;0;\x07");
    expect(text).toContain("\x1b]9;cclaude: the usage limit has reset");
    text = "";
    countdown.end(false);
    expect(text).not.toContain("\x1b]9;cclaude");
  });
});

test("what is left, to the second; a day that is not today by its name", () => {
  expect([7_000, 249_000, 7_985_000, -5].map(formatRemaining)).toEqual(["7s", "4m 09s", "2h 13m 05s", "0s"]);
  expect(formatClock(until, now)).toBe("14:50");
  expect(formatClock(now + 3 * 86_400_000, now)).toBe("Thu 19 Nov 14:00");
});

describe("--explain", () => {
  test("without anything to explain", () => {
    expect(describeExplanation({ last: undefined, abandoned: [] }, now)).toBe(
      "No claude has ended under cclaude yet.\n",
    );
  });
  test("shows the decision, its evidence, and how to go on with what was killed", () => {
    const last: LastDecision = {
      version: 1,
      time: now,
      cwd: "/p",
      sessionId,
      evidence: {
        exitCode: 1,
        signal: null,
        stopAsked: false,
        interactive: false,
        hooksSeen: true,
        endReason: "other",
        failure: "rate_limit",
        finalError: { kind: "limit", resetsAt: until },
        resumable: true,
        progress: true,
        snapshotAge: 60_000,
        growth: 1_000,
        contextTokens: 50_000,
      },
      history: { crashes: 0, limits: 0, restores: 1, restarts: 2 },
      decision: { cause: "limit", action: { kind: "wait", until, known: true } },
    };
    const process = { pid: 1, startTime: "1", bootId: "1" };
    const flags = ["--append-system-prompt", "it's brief"];
    const abandoned = [{ version: 1 as const, process, started: now, cwd: "/q", flags, sessionId: "s2" }];
    const text = describeExplanation({ last, abandoned }, now);
    expect(text).toMatch(/^cause +a usage or rate limit$/m);
    expect(text).toMatch(/^action +waited until 14:50:00, to resume then$/m);
    expect(text).toMatch(/^StopFailure error +rate_limit$/m);
    expect(text).toMatch(/^transcript ends with +an error: limit$/m);
    expect(text).toContain("cclaude --append-system-prompt 'it'\\''s brief' --resume s2\n");
  });
});
