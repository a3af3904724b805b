import { runInHost } from "../../../app/host/run-in-host.ts";
import { currentEnvironment, type Environment } from "../../../app/environment.ts";
import { hostingOfClaude } from "../../../app/host/new-hosting.ts";
import { startHost } from "../../../app/host/registry.ts";
import { detachRun } from "../../../app/run/detach-run.ts";
import { readTaskFromStdin } from "../../../app/run/task-from-stdin.ts";
import { readRunWords, type RunWords } from "../../../app/run/run-request.ts";
import { createRun, type NewRun, runPathsOf } from "../../../app/run-records/register-run.ts";
import { enqueue, type QueueConditions, readConditions } from "../../../app/queue/enqueue.ts";
import { viewQueue } from "../../../app/queue/view-queue.ts";
import { holdAndRun } from "../../../app/run/resume-run.ts";
import { Failure } from "../../../core/failure.ts";
import { describeWait } from "../../run-list/queue-words.ts";
import { leaveHosted } from "../../messages/leave-hosted.ts";
import type { Output } from "../../output.ts";
import { runExitCode } from "../../run-view/run-view.ts";
import { viewFor } from "../../run-view/view-for.ts";
import type { Verb } from "../../programs/verb.ts";

const verb: Verb = {
  summary: "works on a task until it is done, across limits, crashes and reboots",
  details: `All other options go to claude unchanged, permissions included. The task may also come on stdin. Only Claude's
answer goes to stdout, everything else to stderr. Ctrl-C saves everything and shows how to continue. With --at,
--when-available, --after, --after-success, --deadline, --priority or --max-parallel, the run waits in the queue and starts in
the background; ai-runtime queue shows it.`,
  args: {
    task: { type: "positional", description: "what Claude should do, in quotes" },
    detach: { type: "boolean", description: "return at once and run in the background" },
    interactive: {
      type: "boolean",
      description: "use Claude's terminal interface, with detach and attach; the task is optional",
    },
    "max-wait": {
      type: "string",
      valueHint: "time",
      description: "longest wait for a limit (then exit with code 75) or a failing API, such as 90m, 5h, 2d",
    },
    "no-wait": { type: "boolean", description: "exit with code 75 at a limit; resume the run later" },
    at: {
      type: "string",
      valueHint: "time",
      description: "start later, in the background: 22:00, 6:30pm, tomorrow 6am, monday 9:00, 2026-12-01T08:00, 2h",
    },
    "when-available": {
      type: "boolean",
      description: "start when the account has quota; sends no request to find out",
    },
    after: { type: "string", valueHint: "run", description: "start when that run has ended" },
    "after-success": {
      type: "string",
      valueHint: "run",
      description: "start when that run is done; cancel if it is not",
    },
    deadline: { type: "string", valueHint: "time", description: "cancel the run if it has not started by then" },
    priority: { type: "string", valueHint: "number", description: "higher ones start first in the queue; default: 0" },
    "max-parallel": {
      type: "string",
      valueHint: "number",
      description: "start only while fewer runs of the queue work; default: the setting queue.maxParallel",
    },
    fleet: {
      type: "boolean",
      description:
        "queue it in the hub: a worker on any machine does it (with --repo, --ref, --labels, --priority, --at)",
    },
    repo: {
      type: "string",
      valueHint: "URL",
      description: "with --fleet: the repository; none for an empty directory; default: the remote of this one",
    },
    ref: { type: "string", valueHint: "name", description: "with --fleet: a branch, tag or commit of it" },
    labels: { type: "string", valueHint: "words", description: "with --fleet: only workers with all of these labels" },
    json: { type: "boolean", description: "print events as JSON, one per line" },
    quiet: { type: "boolean", alias: "q", description: "print only the answer and errors" },
  },
  examples: [
    ['ai-runtime run "Migrate the tests to bun:test" --permission-mode acceptEdits', "passes a flag to claude"],
    ['ai-runtime run "Fix the flaky tests" --detach', "runs in the background; ai-runtime attach shows it"],
    ['ai-runtime run "Update the docs" --at 22:00 --when-available', "starts tonight, when there is quota"],
    ['ai-runtime run "Fix the build" --fleet --labels linux', "a worker on another machine does it"],
    ['ai-runtime run "Review the API" --interactive', "uses Claude's terminal interface; Ctrl-\\ d detaches"],
    ['summary=$(ai-runtime run "Summarize CHANGELOG.md" --quiet)', "captures the answer in a script"],
  ],
  invoke: runTask,
};

export default verb;

async function runTask(rawArgs: string[], output: Output): Promise<number> {
  const words = readRunWords(rawArgs);
  const environment = currentEnvironment(process.env);
  const isFleet = words.own.has("fleet");
  const stray = ["repo", "ref", "labels"].find((flag) => words.own.has(flag) && !isFleet);
  if (stray !== undefined) throw new Failure("usage", `--${stray} needs --fleet`);
  const conditions = readConditions(environment, words.own);
  if (words.own.has("interactive") && !isFleet) return runInteractive(environment, words, output);
  const task = words.task ?? (await readTaskFromStdin());
  if (task === undefined || task.trim() === "") {
    throw new Failure("usage", "no task given", {
      hint: 'Put it first, in quotes: ai-runtime run "Fix the tests"',
    });
  }
  if (isFleet) return queueInFleet(environment, words, task, output);
  const { flags, permissionMode, maxBudgetUsd, maxWait } = words;
  const run = { kind: "headless", task, flags, permissionMode, maxBudgetUsd, maxWait } as const;
  if (conditions) return waitInQueue(environment, run, conditions, output);
  const record = createRun(environment, run);
  const { id } = record.plan;
  const paths = runPathsOf(environment);
  if (words.own.has("detach")) {
    const pid = await detachRun(environment, paths, record);
    if (output.mode === "json")
      output.json({ id, session: record.plan.sessionId, pid, directory: record.plan.directory });
    else {
      output.data(id);
      output.note(`Running in the background. Watch it with: ai-runtime attach ${id}`);
    }
    return 0;
  }
  const view = viewFor(output);
  const ended = await holdAndRun(environment, paths, record, {
    view: (run) => {
      const both = view(run);
      both.show({ kind: "started", plan: run.plan });
      return both;
    },
    automatic: false,
    detached: false,
  });
  return runExitCode(ended);
}

async function queueInFleet(environment: Environment, words: RunWords, task: string, output: Output): Promise<number> {
  const { enqueueFleet } = await import("../../../app/fleet/enqueue-fleet.ts");
  const { id, sessionId, repo } = await enqueueFleet(environment, words, task);
  if (output.mode === "json") output.json({ id, session: sessionId, repo, queued: true });
  else {
    output.data(id);
    output.note(`Queued for the fleet. Watch it with: ai-runtime attach ${id}`);
  }
  return 0;
}

async function waitInQueue(
  environment: Environment,
  run: NewRun,
  conditions: QueueConditions,
  output: Output,
): Promise<number> {
  const { plan } = await enqueue(environment, run, conditions);
  const { waiting, isPaused } = viewQueue(environment);
  const queued = waiting.find(({ entry }) => entry.id === plan.id);
  if (output.mode === "json") {
    output.json({ id: plan.id, session: plan.sessionId, directory: plan.directory, queued: queued !== undefined });
    return 0;
  }
  output.data(plan.id);
  const what = queued ? `Queued; waits for ${describeWait(queued, isPaused, Date.now())}.` : "Starting.";
  output.note(`${what} Watch it with: ai-runtime attach ${plan.id}`);
  return 0;
}

/** Without a terminal, or with --detach, claude waits for a client to attach. */
async function runInteractive(environment: Environment, words: RunWords, output: Output): Promise<number> {
  const argv = [...words.flags, ...(words.task === undefined ? [] : ["--", words.task])];
  const hosting = hostingOfClaude(environment, argv);
  if (!words.own.has("detach")) {
    return leaveHosted(hosting.id, await runInHost(environment, hosting));
  }
  await startHost(environment, { ...hosting, background: true });
  if (output.mode === "json") output.json({ id: hosting.id, session: hosting.sessionId });
  else {
    output.data(hosting.id);
    output.note(`Running in the background. Show it with: ai-runtime attach ${hosting.id}`);
  }
  return 0;
}
