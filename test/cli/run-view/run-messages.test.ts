import { expect, test } from "bun:test";
import type { RunEnded } from "../../../src/app/run/run-events.ts";
import { describeRunEvent } from "../../../src/cli/run-view/run-messages.ts";

const now = new Date(2026, 10, 16, 14, 0, 0).getTime();
const run = { id: "r1", sessionId: "s1" };
const end: RunEnded = {
  kind: "ended",
  ...run,
  phase: "failed",
  cause: "crash",
  exit: "failed",
  until: null,
  answer: undefined,
  complaint: undefined,
  message: undefined,
  heldBy: undefined,
  failedFor: 0,
  claudeExitCode: 1,
  steps: 0,
  attempts: 3,
  costUsd: 0,
  milliseconds: 0,
};
const paused = { phase: "paused", exit: "stopped" } as const;
const resume = "Resume with: ai-runtime resume r1";

test.each<[Partial<RunEnded>, string]>([
  [{}, `✘ gave up after 3 attempts without an answer; everything is saved. ${resume}`],
  [{ cause: "limit" }, `✘ gave up after 3 attempts without an answer; everything is saved. ${resume}`],
  [{ ...paused, cause: "limit", until: now + 50 * 60_000 }, `■ usage limit until 14:50 (50m); not waiting. ${resume}`],
  [{ ...paused, cause: "went-on-elsewhere" }, `■ session s1 was continued elsewhere; left it alone. ${resume}`],
  [{ ...paused, cause: "interrupted" }, `■ interrupted; everything is saved. ${resume}`],
  [
    { ...paused, cause: "shutdown" },
    `■ ended by the system; everything is saved, and ai-runtime recover resumes it. ${resume}`,
  ],
  [
    { cause: "overload" },
    "✘ the conversation outgrew its context again after several restores; everything is saved. List its marks with: session-snapshot list s1",
  ],
  [{ cause: "budget" }, `✘ the budget of --max-budget-usd is used up. ${resume}`],
  [{ cause: "turns" }, `✘ the turns of --max-turns are used up. ${resume}`],
  [
    { cause: "error", message: "API Error: 400 no" },
    `✘ the API rejected the request for good ("API Error: 400 no"). ${resume}`,
  ],
  [
    { cause: "server", failedFor: 45_000, message: "API Error: 529" },
    `✘ the API kept failing for 45s ("API Error: 529"); everything is saved. ${resume}`,
  ],
  [{ cause: "hook", message: "Enough for today." }, `✘ a hook stopped claude: Enough for today. ${resume}`],
  [{ cause: "hook" }, `✘ a hook stopped claude. ${resume}`],
  [
    { cause: "deferred", message: "Bash: ls" },
    `✘ a hook deferred a tool call (Bash: ls), which a run cannot decide. ${resume}`,
  ],
  [{ cause: "refusal", message: "I will not\nhelp" }, `✘ Claude refused the request: I will not help. ${resume}`],
  [
    { cause: "unfinished", message: "stop_reason pause_turn" },
    `✘ claude ended 3 times before the task was done: stop_reason pause_turn. ${resume}`,
  ],
  [{ cause: "refused", complaint: "no such flag" }, "✘ claude did not start: no such flag"],
  [{ cause: "refused" }, "✘ claude did not start: it printed nothing"],
  [{ phase: "done", exit: "done", cause: null, steps: 2 }, "✔ done · 0s · 2 steps · 3 attempts"],
  [
    { phase: "done", exit: "partial", cause: null },
    "! done, but not recorded (see above). A resume may repeat the task.",
  ],
])("describes the end %j", (changes, expected) => {
  expect(describeRunEvent({ ...end, ...changes }, run, now)?.text).toBe(expected);
});
