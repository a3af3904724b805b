// What `ai-runtime run` says and how it ends, where the real client is not needed: arguments, rare exits, the list of runs.
import { expect, test } from "bun:test";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunRecord } from "../../src/core/run-record.ts";
import { executable } from "../support/executable.ts";
import { onlyRun, runRecords } from "../support/runs.ts";
import { createSandbox } from "../support/sandbox.ts";
import { addRun, run, scratch } from "../support/scripted-claude.ts";

const success = `echo '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"Done.","total_cost_usd":0.5}'`;

test("a claude that ends well and has done nothing is not called done", async () => {
  await using sandbox = await scratch("exit 0");
  const ended = await run(sandbox, ["run", "Do it"], { env: { AI_RUNTIME_MAX_ATTEMPTS: "3" } });
  expect(ended).toMatchObject({ exitCode: 1, stdout: "" });
  expect(ended.stderr).toContain("✘ claude ended 3 times without having done anything; nothing is called done.");
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "failed", cause: "empty", attempts: 3 });
});

test("a result without a record of it in the transcript is not believed", async () => {
  await using sandbox = await scratch(success);
  const ended = await run(sandbox, ["run", "Do it"], { env: { AI_RUNTIME_MAX_ATTEMPTS: "2" } });
  expect(ended).toMatchObject({ exitCode: 1, stdout: "" });
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "failed", cause: "empty" });
});

test("what an earlier start has answered is no record of this one", async () => {
  const old = { type: "assistant", timestamp: "2020-01-01T00:00:00Z", message: { model: "claude", content: [] } };
  await using sandbox = await scratch(
    `until [ "$1" = --session-id ] || [ "$1" = --resume ]; do shift; done
    mkdir -p "$CLAUDE_CONFIG_DIR/projects/p"; echo '${JSON.stringify(old)}' > "$CLAUDE_CONFIG_DIR/projects/p/$2.jsonl"
    ${success}`,
  );
  const env = { AI_RUNTIME_MAX_ATTEMPTS: "2", CLAUDE_CONFIG_DIR: sandbox.configDir };
  expect(await run(sandbox, ["run", "Do it"], { env })).toMatchObject({ exitCode: 1, stdout: "" });
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "failed", cause: "empty", fruitless: 2 });
});

test("a setting that is no number is told of", async () => {
  await using sandbox = await scratch("exit 9");
  const ended = await run(sandbox, ["run", "Do it"], { env: { AI_RUNTIME_WAIT_SECONDS: "soon" } });
  expect(ended.stderr).toContain('! AI_RUNTIME_WAIT_SECONDS is no number, 0 or more: "soon"; 3600 is used\n');
});

test("a crash is tried again, and given up after the set number of attempts, with what to do", async () => {
  await using sandbox = await scratch(`echo '{"type":"system","subtype":"init","session_id":"x"}'; exit 3`);
  const ended = await run(sandbox, ["run", "Do it"], { env: { AI_RUNTIME_MAX_ATTEMPTS: "2" } });
  expect(ended).toMatchObject({ exitCode: 1, stdout: "" });
  const { plan } = onlyRun(sandbox);
  expect(ended.stderr).toContain("! claude ended unexpectedly (exit code 3); going on in 0s\n");
  expect(ended.stderr).toEndWith(
    `✘ gave up after 2 starts without an answer; everything is saved. Go on with: ai-runtime resume ${plan.id}\n`,
  );
});

test("a command line that claude does not take ends it at once, with claude's words and code", async () => {
  await using sandbox = await scratch("echo \"error: unknown option '--bogus'\" >&2; exit 9");
  const ended = await run(sandbox, ["run", "Do it", "--bogus"]);
  expect(ended).toMatchObject({ exitCode: 9, stdout: "" });
  expect(ended.stderr).toContain("✘ claude would not start: error: unknown option '--bogus'\n");
  expect(onlyRun(sandbox).status.attempts).toBe(1);
});

test("all of claude's flags reach it, the task on its stdin, and everything is on disk before", async () => {
  await using sandbox = await scratch(
    // By its name: a directory in which a file is being replaced may be listed without it.
    `printf '%s\\n' "$@" > words; cat > prompt; id=$(basename .ai-*/sessions/*)
    cp "$HOME"/.local/state/ai-*/runs/active/"$id".json before; exit 9`,
  );
  const flags = ["--model", "opus", "--allowedTools", "Bash(git *)", "Edit", "--append-system-prompt", "Be brief."];
  const ended = await run(sandbox, ["run", "Do it", ...flags, "--permission-mode", "plan"]);
  expect(ended.exitCode).toBe(9);
  const words = readFileSync(join(sandbox.projectDir, "words"), "utf8");
  const record = runRecords(sandbox).at(-1);
  expect(words).toContain(
    `--print\n--session-id\n${record?.plan.sessionId}\n--output-format\nstream-json\n--verbose\n`,
  );
  expect(words).toContain("--model\nopus\n--allowedTools\nBash(git *)\nEdit\n--permission-mode\nplan\n");
  expect(words).toContain("Be brief.\n\nThis is an unattended run");
  expect(words).not.toContain("Do it");
  expect(readFileSync(join(sandbox.projectDir, "prompt"), "utf8")).toBe("Do it");
  const before = JSON.parse(readFileSync(join(sandbox.projectDir, "before"), "utf8")) as RunRecord;
  expect(before.plan).toEqual({ ...record!.plan });
  expect(before.plan).toMatchObject({ task: "Do it", permissionMode: "plan", cwd: sandbox.projectDir });
});

test("the task may come on stdin", async () => {
  await using sandbox = await scratch("cat > prompt; exit 9");
  await run(sandbox, ["run", "--quiet"], { stdin: "Do it\nwith care" });
  expect(readFileSync(join(sandbox.projectDir, "prompt"), "utf8")).toBe("Do it\nwith care");
});

const refusals: [what: string, args: string[], says: string][] = [
  ["no task", [], "no task was given"],
  ["a task of several words", ["fix", "the", "tests"], "the task is one argument, and here are 3; put it in quotes"],
  ["a session of another", ["go", "--resume", "x"], "--resume does not go with a run, which has a session of its own"],
  ["no transcript", ["go", "--no-session-persistence"], "--no-session-persistence does not go with a run"],
  ["another output", ["go", "--output-format", "json"], "--output-format is chosen by the run itself; use --json"],
  ["a wait that is none", ["go", "--max-wait", "soon"], '--max-wait is "soon"; it is a time such as 90m, 5h or 2d'],
  ["a budget that is none", ["go", "--max-budget-usd", "much"], '--max-budget-usd is "much"'],
];

for (const [what, args, says] of refusals) {
  test(`refused with one sentence and exit code 2: ${what}`, async () => {
    await using sandbox = await scratch("touch started");
    const ended = await run(sandbox, ["run", ...args]);
    expect(ended).toMatchObject({ exitCode: 2, stdout: "" });
    expect(ended.stderr).toStartWith(`ai-runtime: ${says}`);
    expect(runRecords(sandbox)).toBeEmpty();
  });
}

test("without a claude nothing is begun", async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  await sandbox.installBinaries(executable);
  expect(await run(sandbox, ["run", "Do it"])).toMatchObject({
    exitCode: 127,
    stderr: expect.stringContaining("claude is not on PATH"),
  });
  expect(runRecords(sandbox)).toBeEmpty();
});

test("a repository that has a link where our records go is refused", async () => {
  await using sandbox = await scratch("touch started");
  symlinkSync(sandbox.home, join(sandbox.projectDir, ".ai-runtime"));
  const ended = await run(sandbox, ["run", "Do it"]);
  expect(ended).toMatchObject({ exitCode: 1, stdout: "" });
  expect(ended.stderr).toContain(".ai-runtime");
  expect(runRecords(sandbox)).toBeEmpty();
});

test("git does not see the records", async () => {
  await using sandbox = await scratch("exit 9");
  await run(sandbox, ["run", "Do it"]);
  expect(await sandbox.run(["git", "status", "--short"])).toMatchObject({ stdout: "" });
});

test("--json is one event a line", async () => {
  await using sandbox = await scratch("exit 9");
  const ended = await run(sandbox, ["run", "Do it", "--json"]);
  const events = ended.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events.map(({ event }) => event)).toEqual(["started", "launched", "ended"]);
  expect(events.at(-1)).toMatchObject({ state: "failed", cause: "refused", exitCode: 9, answer: null });
  expect(ended.stderr).toBe("");
});

test("status shows what runs, what died and what ended, from anywhere", async () => {
  await using sandbox = await scratch("exit 0");
  expect(await run(sandbox, ["status"])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^No runs yet\./),
  });
  addRun(sandbox, "20261117-080000-aaaa", { phase: "done", steps: 2, lastStep: "all of it", costUsd: 1.234 });
  addRun(sandbox, "20261117-090000-bbbb", { phase: "working", lastStep: "half of it" });
  addRun(sandbox, "20261117-100000-cccc", { phase: "paused", cause: "interrupted" });

  const shown = await run(sandbox, ["status"], { cwd: sandbox.home });

  expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
  const [head, ...rows] = shown.stdout.trimEnd().split("\n");
  expect(head).toMatch(/^run +state +task +last step +starts +cost +age$/);
  expect(rows[0]).toMatch(/^20261117-100000-cccc {2}paused: interrupted {2}Task/);
  expect(rows[1]).toMatch(/^20261117-090000-bbbb {2}died +Task .* half of it/);
  expect(rows[2]).toMatch(/^20261117-080000-aaaa {2}done +Task .* all of it +0 +\$1\.23/);
  expect(rows[3]).toBe("One run has died; go on with: ai-runtime recover");
  const { runs } = JSON.parse((await run(sandbox, ["status", "--json"])).stdout) as { runs: { state: string }[] };
  expect(runs.map(({ state }) => state)).toEqual(["paused", "died", "done"]);
  expect((await run(sandbox, ["status", "aaaa", "--json"])).stdout).toContain('"20261117-080000-aaaa"');
});

test("a record that cannot be read is told of and hides no other", async () => {
  await using sandbox = await scratch("exit 0");
  addRun(sandbox, "20261117-080000-aaaa", { phase: "done" });
  addRun(sandbox, "20261117-090000-bbbb", { phase: "paused" });
  writeFileSync(join(sandbox.home, ".local/state/ai-runtime/runs/active/20261117-090000-bbbb.json"), "{");
  const shown = await run(sandbox, ["status"]);
  expect(shown.exitCode).toBe(0);
  expect(shown.stdout).toContain("20261117-080000-aaaa");
  expect(shown.stdout).toContain("! the record of run 20261117-090000-bbbb cannot be read");
});

test("of many ended runs the newest are shown, and how to see the others", async () => {
  await using sandbox = await scratch("exit 0");
  for (let n = 0; n < 30; n++) addRun(sandbox, `20261117-0800${String(n).padStart(2, "0")}-aaaa`, { phase: "done" });
  const shown = (await run(sandbox, ["status"])).stdout.trimEnd().split("\n");
  expect(shown).toHaveLength(22);
  expect(shown.at(-1)).toBe("10 older ones: ai-runtime status --all");
  expect((await run(sandbox, ["status", "--all"])).stdout.trimEnd().split("\n")).toHaveLength(31);
});
