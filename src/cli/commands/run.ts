import { runDetachable } from "../../app/detachable.ts";
import { currentEnvironment, type Environment } from "../../app/environment.ts";
import { hostingOfClaude } from "../../app/host-claude.ts";
import { startHost } from "../../app/hosts.ts";
import { detachRun } from "../../app/detach-run.ts";
import { readTaskFromStdin } from "../../app/run-task.ts";
import { readRunWords, type RunWords } from "../../app/run-words.ts";
import { createRun, runPathsOf } from "../../app/start-run.ts";
import { holdAndRun } from "../../app/resume-run.ts";
import { Failure } from "../../core/failure.ts";
import { hostWords, leaveHosted } from "../host-words.ts";
import type { Output } from "../output.ts";
import { runExitCode } from "../run-view.ts";
import { viewFor } from "../view-for.ts";
import type { Verb } from "../verb.ts";

const verb: Verb = {
  summary: "runs a task to its end, across limits, crashes and reboots",
  details: `Every other option is claude's and reaches it as it is, permissions included. The task may also come
on stdin. Claude's answer alone goes to stdout, all else to stderr. Ctrl-C saves everything and says how
to go on.`,
  args: {
    task: { type: "positional", description: "what Claude is to do, in quotes" },
    detach: { type: "boolean", description: "return at once; the run needs no terminal" },
    interactive: {
      type: "boolean",
      description: "Claude's own terminal interface, which can be left and found again; the task may be missing",
    },
    "max-wait": {
      type: "string",
      valueHint: "time",
      description: "the longest wait for a limit: 90m, 5h, 2d; else exit 75",
    },
    "no-wait": { type: "boolean", description: "at a limit end with exit 75, to be resumed later" },
    json: { type: "boolean", description: "print events as JSON, one a line" },
    quiet: { type: "boolean", alias: "q", description: "print nothing but the answer and errors" },
  },
  examples: [
    ['ai-runtime run "Migrate the tests to bun:test" --permission-mode acceptEdits', "with claude's own flags"],
    ['ai-runtime run "Fix the flaky tests" --detach', "and close the terminal; ai-runtime attach finds it again"],
    ['ai-runtime run "Review the API" --interactive', "as cclaude --detachable does; Ctrl-\\ d leaves it running"],
    ['summary=$(ai-runtime run "Summarise CHANGELOG.md" --quiet)', "in a script"],
  ],
  invoke: runTask,
};

export default verb;

async function runTask(rawArgs: string[], output: Output): Promise<number> {
  const words = readRunWords(rawArgs);
  const environment = currentEnvironment(process.env);
  if (words.own.has("interactive")) return runInteractive(environment, words, output);
  const task = words.task ?? (await readTaskFromStdin());
  if (task === undefined || task.trim() === "") {
    throw new Failure("usage", "no task was given", {
      hint: 'Put it first, in quotes: ai-runtime run "Fix the tests"',
    });
  }
  const { flags, permissionMode, maxBudgetUsd, maxWait } = words;
  const record = createRun(environment, { kind: "headless", task, flags, permissionMode, maxBudgetUsd, maxWait });
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

/** Without a terminal, or with --detach, it waits for somebody to attach. */
async function runInteractive(environment: Environment, words: RunWords, output: Output): Promise<number> {
  const argv = [...words.flags, ...(words.task === undefined ? [] : ["--", words.task])];
  const hosting = hostingOfClaude(environment, argv);
  if (!words.own.has("detach")) {
    return leaveHosted(hosting.id, await runDetachable(environment, hosting, hostWords));
  }
  await startHost(environment, { ...hosting, greeting: null });
  if (output.mode === "json") output.json({ id: hosting.id, session: hosting.sessionId });
  else {
    output.data(hosting.id);
    output.note(`Running in the background. Show it with: ai-runtime attach ${hosting.id}`);
  }
  return 0;
}
