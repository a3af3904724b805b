import { describe, expect, test } from "bun:test";
import { resumeArguments } from "../../../src/claude/argv/resume-arguments.ts";
import type { NoAnswer, RecoveryEvent, RecoveryStop } from "../../../src/app/resume/recovery-events.ts";
import { contextOfRun, contextOfSession, describeRecovery } from "../../../src/cli/messages/recovery-messages.ts";

const now = new Date(2026, 10, 16, 14, 0, 0).getTime();
const until = now + 50 * 60_000;

const undo = "(undo with: session-snapshot undo s1)";
const resume = "Resume with: cclaude --resume s1";
const marks = "List its marks with: session-snapshot list s1";

test.each<[RecoveryEvent | RecoveryStop | NoAnswer, string]>([
  [{ kind: "no-answer", message: "API Error: 529\n\u001b[1mOverloaded\n" }, "claude said: API Error: 529 Overloaded"],
  [{ kind: "no-answer", message: "x".repeat(1_000_000) }, `claude said: ${"x".repeat(399)}…`],
  [
    { kind: "backing-off", cause: "crash", how: "SIGKILL", until: now + 2_000 },
    "claude ended unexpectedly (SIGKILL); resuming session s1 in 2s",
  ],
  [
    { kind: "backing-off", cause: "crash", how: undefined, until: now },
    "claude ended unexpectedly; resuming session s1",
  ],
  [{ kind: "backing-off", cause: "server", how: "exit code 1", until: now }, "the API failed; resuming session s1"],
  [
    { kind: "backing-off", cause: "server", how: "exit code 1", until: now, message: "API Error: 529" },
    'the API failed ("API Error: 529"); resuming session s1',
  ],
  [
    { kind: "backing-off", cause: "empty", how: "exit code 0", until: now },
    "claude ended without doing anything; resuming session s1",
  ],
  [{ kind: "waiting", until, known: true }, "usage limit reached; waiting until 14:50 (50m), then resuming session s1"],
  [
    { kind: "waiting", until, known: false },
    "usage limit reached, no reset time given; waiting until 14:50 (50m), then resuming session s1",
  ],
  [{ kind: "resuming", cause: "limit" }, "the usage limit has reset; resuming session s1"],
  [{ kind: "resuming", cause: "overload" }, "resuming session s1 from an earlier point"],
  [{ kind: "resuming", cause: "crash" }, "resuming session s1"],
  [{ kind: "repaired" }, `the transcript was damaged; repaired it ${undo}`],
  [
    { kind: "restored", mark: 3, turn: 2, time: now },
    `the conversation outgrew its context; restored it to mark 3 of 14:00:00 ${undo}`,
  ],
  [
    { kind: "restored", mark: null, turn: 2, time: now },
    `the conversation outgrew its context; restored it to a point in turn 2 of 14:00:00 ${undo}`,
  ],
  [{ kind: "trouble", message: "disk\nfull" }, "disk full"],
  [{ kind: "not-waiting", until }, `usage limit until 14:50 (50m); not waiting. ${resume}`],
  [{ kind: "not-waiting", until: null }, `usage limit reached, no reset time given; not waiting. ${resume}`],
  [{ kind: "stopped-waiting" }, `stopped waiting. ${resume}`],
  [{ kind: "gave-up", attempts: 3 }, `gave up after 3 attempts without an answer; everything is saved. ${resume}`],
  [
    { kind: "gave-up", attempts: undefined },
    `gave up after several attempts without an answer; everything is saved. ${resume}`,
  ],
  [
    { kind: "restored-too-often" },
    `the conversation outgrew its context again after several restores; everything is saved. ${marks}`,
  ],
  [{ kind: "no-restore-point" }, `the conversation outgrew its context, and no point of it is small enough. ${marks}`],
  [{ kind: "went-on-elsewhere" }, `session s1 was continued elsewhere; left it alone. ${resume}`],
  [
    { kind: "authentication", message: undefined },
    `claude could not log in. Run claude and /login, or check the API key. ${resume}`,
  ],
  [
    { kind: "billing", message: "Credit balance is too low" },
    `the account has no credit ("Credit balance is too low"). Add credit first. ${resume}`,
  ],
  [
    { kind: "permission", message: "API Error: 403 Usage is\npaused." },
    `the API denies this account access ("API Error: 403 Usage is paused."). Ask the administrator of the account. ${resume}`,
  ],
  [
    { kind: "rejected", message: "API Error: 400" },
    `the API rejected the request for good ("API Error: 400"). ${resume}`,
  ],
  [
    { kind: "held", of: "model", message: "You've hit your Fable limit" },
    `limit of this model reached, no reset time given ("You've hit your Fable limit"). Continue with another model: cclaude --resume s1 --model <model>, or wait for its reset. ${resume}`,
  ],
  [
    { kind: "held", of: "spend", message: undefined },
    `spend limit reached, no reset time given. Continue with another model: cclaude --resume s1 --model <model>, or raise the spend limit or wait for its reset. ${resume}`,
  ],
  [
    { kind: "kept-failing", milliseconds: 45_000, message: "API Error: 529 Overloaded" },
    `the API kept failing for 45s ("API Error: 529 Overloaded"); everything is saved. ${resume}`,
  ],
  [
    { kind: "not-started", complaint: undefined },
    "claude ended before a conversation began; see its message above, or claude --help",
  ],
  [{ kind: "not-started", complaint: "no such\nflag" }, "claude did not start: no such flag"],
  [{ kind: "undecided", message: "disk full" }, "cannot find out how to resume: disk full"],
])("describes %j in one line", (event, expected) => {
  expect(describeRecovery(event, contextOfSession({ id: "s1", resume: ["--resume", "s1"] }, now))).toBe(expected);
});

describe("only the names differ", () => {
  test("for a run, which resumes its task", () => {
    const context = contextOfRun({ id: "r1", sessionId: "s1" }, now);
    expect(describeRecovery({ kind: "resuming", cause: "limit" }, context)).toBe(
      "the usage limit has reset; resuming the task",
    );
    expect(describeRecovery({ kind: "stopped-waiting" }, context)).toBe(
      "stopped waiting. Resume with: ai-runtime resume r1",
    );
    expect(describeRecovery({ kind: "repaired" }, context)).toEndWith(undo);
  });
  test.each([
    [["Do it", "--model", "opus", "-p", "--output-format", "json"], "cclaude --resume s1 --model opus"],
    [
      ["-c", "--permission-mode", "plan", "--add-dir", "a b", "--", "Go"],
      "cclaude --resume s1 --permission-mode plan --add-dir 'a b'",
    ],
  ])("and the command to resume keeps the flags of %j", (argv, command) => {
    for (const event of [{ kind: "stopped-waiting" }, { kind: "gave-up", attempts: 3 }] as const) {
      expect(
        describeRecovery(event, contextOfSession({ id: "s1", resume: resumeArguments(argv, "s1") }, now)),
      ).toEndWith(`Resume with: ${command}`);
    }
  });
  test("for a cclaude that found no session", () => {
    const context = contextOfSession({ id: undefined, resume: ["--continue"] }, now);
    const billing = { kind: "billing", message: undefined } as const;
    expect(describeRecovery(billing, context)).toEndWith("Resume with: cclaude --continue");
  });
});
