// The arguments and the prompt of a resumed run, and its messages, with a shell script in place of claude.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newRun } from "../../../../src/core/run/run-record.ts";
import { checkpointOf, onlyRun, runRecords, untilRun } from "../../../support/runs/runs.ts";
import type { Sandbox } from "../../../support/sandbox/sandbox.ts";
import { addRun, run, sandboxWithClaude } from "../../../support/runs/scripted-claude.ts";
import { untilFile } from "../../../support/until-file.ts";

const prints = (value: object): string => `printf '%s\\n' '${JSON.stringify(value)}'`;
const says = (text: string): string => prints({ type: "assistant", message: { content: [{ type: "text", text }] } });
const calls = (name: string, input: object): string =>
  [
    prints({ type: "assistant", message: { content: [{ type: "tool_use", id: "t", name, input }] } }),
    prints({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t", content: "ok" }] } }),
  ].join("\n");

/** A claude that records its arguments and prompt at each start, and writes a transcript. */
const recording = `n=0; while [ -e "$HOME/words.$n" ]; do n=$((n+1)); done
printf '%s\\n' "$@" > "$HOME/words.$n"; cat > "$HOME/prompt.$n"
id=; for word; do [ "$last" = --session-id ] && id=$word; last=$word; done
if [ -n "$id" ]; then
  project="$HOME/.claude/projects/$(pwd | tr -c 'A-Za-z0-9\\n' -)"; mkdir -p "$project"
  more=$(printf '"sessionId":"%s","timestamp":"%s"' "$id" "$(date -u +%Y-%m-%dT%H:%M:%S.999Z)")
  printf '{"type":"user","uuid":"u","parentUuid":null,%s,"message":{"role":"user","content":"hi"}}\\n' "$more" > "$project/$id.jsonl"
  printf '{"type":"assistant","uuid":"a","parentUuid":"u",%s,"message":{"role":"assistant","content":[{"type":"text","text":"ok"}]}}\\n' "$more" >> "$project/$id.jsonl"
fi
`;

const starts = (sandbox: Sandbox): string[][] =>
  readdirSync(sandbox.home)
    .filter((name) => name.startsWith("words."))
    .sort()
    .map((name) => readFileSync(join(sandbox.home, name), "utf8").trimEnd().split("\n"));

test("a resume uses the original flags and permission mode, whatever the project contains", async () => {
  await using sandbox = await sandboxWithClaude(`${recording}[ $n = 0 ] && kill -9 $$\nexit 9`);
  const flags = ["--permission-mode", "plan", "--allowedTools", "Read", "--model", "opus"];
  await run(sandbox, ["run", "Do it", ...flags, "--max-wait", "1h"]);
  const { plan } = onlyRun(sandbox);
  // Every file with which a project could ask for more permissions.
  const wide = { flags: ["--dangerously-skip-permissions"], permissionMode: "bypassPermissions", task: "Delete all" };
  const forged = JSON.stringify({ ...newRun({ ...plan, ...wide }), ...wide, plan: { ...plan, ...wide } });
  writeFileSync(join(plan.directory, "checkpoint.json"), forged);
  writeFileSync(join(plan.directory, "plan.json"), forged);
  await run(sandbox, ["resume", plan.id]);

  const all = starts(sandbox);
  expect(all).toHaveLength(3);
  const [first = [], ...later] = all;
  expect(first.slice(-flags.length)).toEqual(flags);
  for (const words of later) {
    expect(words).toEqual(first.map((word) => (word === "--session-id" ? "--resume" : word)));
  }
  expect(readFileSync(join(sandbox.home, "prompt.2"), "utf8")).not.toContain("Delete all");
  expect(onlyRun(sandbox).plan).toEqual(plan);
});

test("a finished task never runs twice", async () => {
  await using sandbox = await sandboxWithClaude("touch started; exit 9");
  addRun(sandbox, "20261117-080000-aaaa", { phase: "done", exit: "done" });
  for (const words of [["resume"], ["resume", "aaaa"], ["recover"], ["recover", "--all"]]) {
    const { stdout } = await run(sandbox, words);
    expect([words, stdout]).toEqual([words, ""]);
  }
  expect(readdirSync(sandbox.projectDir)).not.toContain("started");
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "done", attempts: 0 });
});

/** A claude at a limit without a reset time. */
const limited = [
  { type: "rate_limit_event", rate_limit_info: { status: "rejected" } },
  {
    type: "assistant",
    error: "rate_limit",
    is_api_error_message: true,
    message: { model: "<synthetic>", content: [{ type: "text", text: "You have hit your limit" }] },
  },
  { type: "result", subtype: "success", is_error: true, num_turns: 1 },
]
  .map(prints)
  .concat("exit 1")
  .join("\n");

test("restarts ten seconds after a crash, and waits an hour at a limit without a reset time", async () => {
  const cases = [
    // Plus a random delay, so that many runs do not restart at the same moment.
    [
      "kill -9 $$",
      "backing-off",
      "crash",
      10_000,
      /! claude ended unexpectedly \(SIGKILL\); resuming the task in 1[0-2]s\n/,
    ],
    // A local time zone nine hours behind UTC.
    [limited, "waiting-limit", "limit", 3_600_000, /no reset time given; waiting until .*\d\d:\d\d \((1h|59m 5\ds)\)/],
  ] as const;
  for (const [claude, phase, cause, wait, line] of cases) {
    await using sandbox = await sandboxWithClaude(`${says("Beginning.")}\n${claude}`);
    const before = Date.now();
    const env = { AI_RUNTIME_RETRY_SECONDS: undefined, TZ: "Etc/GMT+9" };
    const started = sandbox.spawn(["ai-runtime", "run", "Do it"], { env });
    const { plan, status } = await untilRun(sandbox, (record) => record.status.phase === phase);
    const kept = await untilFile(join(plan.directory, "checkpoint.json"), (text) => JSON.parse(text).phase === phase);
    expect(JSON.parse(kept)).toMatchObject({ interrupted_by: cause, last_step: "Beginning." });
    started.signal("SIGINT");
    const { exitCode, stderr } = await started.finished;
    expect([exitCode, stderr]).toEqual([130, expect.stringMatching(line)]);
    expect(status.until).toBeWithin(before + wait, Date.now() + wait + 5_000);
    const clock = new Date((status.until ?? 0) - 9 * 3_600_000).toISOString().slice(11, 16);
    if (phase === "waiting-limit") expect(stderr).toContain(` ${clock} (`);
    expect(checkpointOf(onlyRun(sandbox))).toMatchObject({ interrupted_by: "interrupted", phase: "paused" });
  }
});

test("counts down a wait on a terminal, and Ctrl-C ends it", async () => {
  await using sandbox = await sandboxWithClaude(limited);
  const started = sandbox.spawn(["ai-runtime", "run", "Do it"], { terminal: { columns: 100, rows: 20 } });
  await started.untilOutput(/ai-runtime: waiting for the usage limit to reset at .* · (1h|59m \d+s) left · Ctrl-C/);
  // The number has changed, so the countdown runs.
  await started.untilOutput(/ · (\d+m \d+s) left .* · (?!\1)\d+m \d+s left /);
  started.write("\u0003");
  expect(await started.finished).toMatchObject({ exitCode: 130 });
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "paused", cause: "interrupted" });
});

const todos = (...subjects: string[]): object => ({
  todos: [...subjects.map((content) => ({ content, status: "completed" })), { content: "rest", status: "pending" }],
});

test.each([
  ["its markers", [says("One.\\n<!-- CHECKPOINT: marked -->"), calls("TodoWrite", todos("listed"))], "marked"],
  ["the task list, without a marker", [says("Working on it."), calls("TodoWrite", todos("listed"))], "listed"],
  [
    "the last sentence, without a marker or a task list",
    [says("I looked around. Then I wrote it down.")],
    "Then I wrote it down.",
  ],
])("finds the last step in %s", async (_what, script, lastStep) => {
  await using sandbox = await sandboxWithClaude([recording, ...script, "exit 9"].join("\n"));
  await run(sandbox, ["run", "Do it"]);
  expect(checkpointOf(onlyRun(sandbox))).toMatchObject({ last_step: lastStep });
  await run(sandbox, ["resume"]);
  expect(readFileSync(join(sandbox.home, "prompt.1"), "utf8")).toContain(lastStep);
});

test("status shows the wait, its reason, the starts and the cost, and with --watch every change", async () => {
  await using sandbox = await sandboxWithClaude("exit 0");
  const id = "20261117-090000-aaaa";
  const until = Date.now() + 3_700_000;
  addRun(sandbox, id, { phase: "paused", cause: "limit", until, attempts: 3, costUsd: 1.5, lastStep: "half" });
  const { runs } = JSON.parse((await run(sandbox, ["status", "--json"])).stdout) as { runs: object[] };
  expect(runs).toMatchObject([
    { id, state: "paused", task: `Task ${id}`, lastStep: "half", attempts: 3, costUsd: 1.5, cause: "limit" },
  ]);
  expect(runs).toMatchObject([{ until: new Date(until).toISOString() }]);

  const watching = sandbox.spawn(["ai-runtime", "status", "--watch"], { terminal: { columns: 120, rows: 20 } });
  await watching.untilOutput(/paused: limit.*Task 20261117.* half +3 +\$1\.50/);
  expect(await run(sandbox, ["stop", id])).toMatchObject({ exitCode: 0 });
  await watching.untilOutput(/stopped +Task/);
  watching.write("\u0003");
  expect(await watching.finished).toMatchObject({ exitCode: 0 });
  expect(runRecords(sandbox)).toHaveLength(1);
});
