import { describe, expect, test } from "bun:test";
import { describeExplanation } from "../../../src/cli/messages/explain.ts";
import type { LastDecision } from "../../../src/store/cclaude/last-decision.ts";
import { failedEvidence } from "../../support/runs/end-evidence.ts";

const now = new Date(2026, 10, 16, 14, 0, 0).getTime();
const until = now + 50 * 60_000;
const sessionId = "s1";

const limited: LastDecision = {
  version: 1,
  time: now,
  cwd: "/p",
  sessionId,
  evidence: { ...failedEvidence, failure: "rate_limit", finalError: { kind: "limit", resetsAt: until }, growth: 1_000 },
  history: { crashes: 0, limits: 0, restores: 1, restarts: 2 },
  decision: { cause: "limit", action: { kind: "wait", until, known: true } },
};

describe("--explain", () => {
  test("says so when no claude has ended yet", () => {
    expect(describeExplanation({ last: undefined, abandoned: [] }, now)).toBe(
      "No claude has ended under cclaude yet.\n",
    );
  });
  test.each<[LastDecision["decision"]["action"], LastDecision["outcome"], string]>([
    [{ kind: "restore" }, "no-restore-point", "found no earlier point that fits; ended with the same exit code"],
    [{ kind: "restore" }, "restored", "restored an earlier point and resumed"],
    [{ kind: "restore" }, null, "decided to restore an earlier point and resume"],
    [{ kind: "resume", delay: 2_000 }, undefined, "decided to resume after 2s"],
    [{ kind: "resume", delay: 2_000 }, "resumed", "resumed"],
    [{ kind: "wait", until, known: true }, "resumed", "waited until 14:50:00, then resumed"],
    [{ kind: "wait", until, known: true }, "stopped-waiting", "stopped waiting, as the user asked"],
    [{ kind: "wait", until, known: true }, "not-waiting", "did not wait, as CCLAUDE_NO_WAIT says"],
    [
      { kind: "wait", until, known: true },
      "went-on-elsewhere",
      "did not resume: the session was continued elsewhere; ended with the same exit code",
    ],
    [{ kind: "give-up" }, "gave-up", "gave up: too many attempts"],
    [{ kind: "exit" }, "ended", "ended with the same exit code"],
    [{ kind: "resume", delay: 0 }, "failed", "failed to act; ended with the same exit code"],
  ])("shows what was done: %j, %p", (action, outcome, expected) => {
    const last = { ...limited, decision: { ...limited.decision, action }, outcome: outcome ?? null };
    expect(describeExplanation({ last, abandoned: [] }, now)).toMatch(new RegExp(`^action +${expected}$`, "m"));
  });
  test("shows the decision, its evidence, and how to resume a killed session", () => {
    const process = { pid: 1, startTime: "1", bootId: "1" };
    const flags = ["--append-system-prompt", "it's brief"];
    const abandoned = [{ version: 1 as const, process, started: now, cwd: "/q", flags, sessionId: "s2" }];
    const text = describeExplanation({ last: limited, abandoned }, now);
    expect(text).toMatch(/^cause +a usage or rate limit$/m);
    expect(text).toMatch(/^action +decided to wait until 14:50:00, then resume$/m);
    expect(text).toMatch(/^StopFailure error +rate_limit$/m);
    expect(text).toMatch(/^transcript ends with +an error: limit$/m);
    expect(text).toContain("cclaude --append-system-prompt 'it'\\''s brief' --resume s2\n");
  });
});
