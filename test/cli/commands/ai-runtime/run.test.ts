// `ai-runtime run` with a shell script in place of claude: arguments, rare exits, the list of runs.
import { expect, test } from "bun:test";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunRecord } from "../../../../src/core/run/run-record.ts";
import { executable } from "../../../support/executable.ts";
import { onlyRun, runRecords } from "../../../support/runs/runs.ts";
import { createSandbox } from "../../../support/sandbox/sandbox.ts";
import { addRun, run, sandboxWithClaude } from "../../../support/runs/scripted-claude.ts";

const success = `echo '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"Done.","total_cost_usd":0.5}'`;

test("a claude that exits with 0 but did nothing is not done", async () => {
  await using sandbox = await sandboxWithClaude("exit 0");
  const ended = await run(sandbox, ["run", "Do it"], { env: { AI_RUNTIME_MAX_ATTEMPTS: "3" } });
  expect(ended).toMatchObject({ exitCode: 1, stdout: "" });
  expect(ended.stderr).toContain("✘ claude ended 3 times without doing anything; the task is not done.");
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "failed", cause: "empty", attempts: 3 });
});

test("does not trust a result that the transcript does not contain", async () => {
  await using sandbox = await sandboxWithClaude(success);
  const ended = await run(sandbox, ["run", "Do it"], { env: { AI_RUNTIME_MAX_ATTEMPTS: "2" } });
  expect(ended).toMatchObject({ exitCode: 1, stdout: "" });
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "failed", cause: "empty" });
});

test("the answer of an earlier attempt does not count for this one", async () => {
  const old = { type: "assistant", timestamp: "2020-01-01T00:00:00Z", message: { model: "claude", content: [] } };
  await using sandbox = await sandboxWithClaude(
    `until [ "$1" = --session-id ] || [ "$1" = --resume ]; do shift; done
    mkdir -p "$CLAUDE_CONFIG_DIR/projects/p"; echo '${JSON.stringify(old)}' > "$CLAUDE_CONFIG_DIR/projects/p/$2.jsonl"
    ${success}`,
  );
  const env = { AI_RUNTIME_MAX_ATTEMPTS: "2", CLAUDE_CONFIG_DIR: sandbox.configDir };
  expect(await run(sandbox, ["run", "Do it"], { env })).toMatchObject({ exitCode: 1, stdout: "" });
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "failed", cause: "empty", fruitless: 2 });
});

test("a limit that claude got over is not the reason for a later failure", async () => {
  const limit = {
    type: "assistant",
    error: "rate_limit",
    message: { model: "<synthetic>", content: [{ type: "text", text: "You've hit your limit" }] },
  };
  const answer = {
    type: "assistant",
    message: { model: "claude", content: [{ type: "text", text: "Working again." }] },
  };
  const failed = { type: "result", subtype: "error_during_execution", is_error: true, num_turns: 2 };
  const stream = [{ type: "system", subtype: "init", session_id: "x" }, limit, answer, failed];
  const print = stream.map((event) => JSON.stringify(event).replaceAll("'", "'\\''")).join("\n");
  await using sandbox = await sandboxWithClaude(`printf '%s\\n' '${print}'; exit 1`);
  const ended = await run(sandbox, ["run", "Do it", "--no-wait"], { env: { AI_RUNTIME_MAX_ATTEMPTS: "2" } });
  expect(ended.exitCode).toBe(1);
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "failed", cause: "crash", attempts: 2 });
});

test("a bad setting is reported", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  const ended = await run(sandbox, ["run", "Do it"], { env: { AI_RUNTIME_WAIT_SECONDS: "soon" } });
  expect(ended.stderr).toContain(
    '! AI_RUNTIME_WAIT_SECONDS must be a number from 0 to 691200 (got "soon"); using 3600\n',
  );
});

test("retries after a crash, gives up after the configured attempts, and shows what to do", async () => {
  await using sandbox = await sandboxWithClaude(`echo '{"type":"system","subtype":"init","session_id":"x"}'; exit 3`);
  const ended = await run(sandbox, ["run", "Do it"], { env: { AI_RUNTIME_MAX_ATTEMPTS: "2" } });
  expect(ended).toMatchObject({ exitCode: 1, stdout: "" });
  const { plan } = onlyRun(sandbox);
  expect(ended.stderr).toContain("! claude ended unexpectedly (exit code 3); resuming the task\n");
  expect(ended.stderr).toEndWith(
    `✘ gave up after 2 attempts without an answer; everything is saved. Resume with: ai-runtime resume ${plan.id}\n`,
  );
});

test("ends at once when claude rejects its arguments, with claude's message and exit code", async () => {
  await using sandbox = await sandboxWithClaude("echo \"error: unknown option '--bogus'\" >&2; exit 9");
  const ended = await run(sandbox, ["run", "Do it", "--bogus"]);
  expect(ended).toMatchObject({ exitCode: 9, stdout: "" });
  expect(ended.stderr).toContain("✘ claude did not start: error: unknown option '--bogus'\n");
  expect(onlyRun(sandbox).status.attempts).toBe(1);
});

test("passes all flags and the task on stdin to claude, after everything is on disk", async () => {
  await using sandbox = await sandboxWithClaude(
    // Read by name, because a directory listing can miss a file that is being replaced.
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

test("accepts the task on stdin", async () => {
  await using sandbox = await sandboxWithClaude("cat > prompt; exit 9");
  await run(sandbox, ["run", "--quiet"], { stdin: "Do it\nwith care" });
  expect(readFileSync(join(sandbox.projectDir, "prompt"), "utf8")).toBe("Do it\nwith care");
});

const refusals: [what: string, args: string[], says: string][] = [
  ["no task", [], "no task given"],
  ["a task of several words", ["fix", "the", "tests"], "the task must be one argument (got 3); put it in quotes"],
  [
    "the session of another run",
    ["go", "--resume", "x"],
    "--resume cannot be used with a run, which has its own session",
  ],
  ["no transcript", ["go", "--no-session-persistence"], "--no-session-persistence cannot be used with a run"],
  [
    "another output format",
    ["go", "--output-format", "json"],
    "ai-runtime run sets --output-format itself; use --json",
  ],
  [
    "an invalid wait",
    ["go", "--max-wait", "soon"],
    '--max-wait must be 0 or a duration such as 90m, 5h or 2d (got "soon")',
  ],
  [
    "no wait and a longest wait",
    ["go", "--no-wait", "--max-wait", "1h"],
    "--no-wait and --max-wait contradict each other; give one of them",
  ],
  ["an invalid budget", ["go", "--max-budget-usd", "much"], '--max-budget-usd must be a number > 0 (got "much")'],
];

for (const [what, args, says] of refusals) {
  test(`refused with one sentence and exit code 2: ${what}`, async () => {
    await using sandbox = await sandboxWithClaude("touch started");
    const ended = await run(sandbox, ["run", ...args]);
    expect(ended).toMatchObject({ exitCode: 2, stdout: "" });
    expect(ended.stderr).toStartWith(`ai-runtime: ${says}`);
    expect(runRecords(sandbox)).toBeEmpty();
  });
}

test("starts nothing without a claude", async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  await sandbox.installBinaries(executable);
  expect(await run(sandbox, ["run", "Do it"])).toMatchObject({
    exitCode: 127,
    stderr: expect.stringContaining("claude is not on PATH"),
  });
  expect(runRecords(sandbox)).toBeEmpty();
});

test("refuses a repository with a link in the place of our records", async () => {
  await using sandbox = await sandboxWithClaude("touch started");
  symlinkSync(sandbox.home, join(sandbox.projectDir, ".ai-runtime"));
  const ended = await run(sandbox, ["run", "Do it"]);
  expect(ended).toMatchObject({ exitCode: 1, stdout: "" });
  expect(ended.stderr).toContain(".ai-runtime");
  expect(runRecords(sandbox)).toBeEmpty();
});

test("git ignores the records", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  await run(sandbox, ["run", "Do it"]);
  expect(await sandbox.run(["git", "status", "--short"])).toMatchObject({ stdout: "" });
});

test("--json prints one event per line", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  const ended = await run(sandbox, ["run", "Do it", "--json"]);
  const events = ended.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events.map(({ event }) => event)).toEqual(["started", "launched", "ended"]);
  expect(events.at(-1)).toMatchObject({ state: "failed", cause: "refused", exitCode: 9, answer: null });
  expect(ended.stderr).toBe("");
});

test("status shows active, dead and ended runs from any directory", async () => {
  await using sandbox = await sandboxWithClaude("exit 0");
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
  expect(head).toMatch(/^run +state +title +directory +last step +starts +cost +since$/);
  expect(rows[0]).toMatch(/^20261117-100000-cccc {2}paused: interrupted {2}Task/);
  expect(rows[1]).toMatch(/^20261117-090000-bbbb {2}died +Task .* half of it/);
  expect(rows[2]).toMatch(/^20261117-080000-aaaa {2}done +Task .* all of it +0 +\$1\.23/);
  expect(rows[3]).toBe("One run has died; resume with: ai-runtime recover");
  const { runs } = JSON.parse((await run(sandbox, ["status", "--json"])).stdout) as { runs: { state: string }[] };
  expect(runs.map(({ state }) => state)).toEqual(["paused", "died", "done"]);
  expect((await run(sandbox, ["status", "aaaa", "--json"])).stdout).toContain('"20261117-080000-aaaa"');
});

test("reports an unreadable record and shows the others", async () => {
  await using sandbox = await sandboxWithClaude("exit 0");
  addRun(sandbox, "20261117-080000-aaaa", { phase: "done" });
  addRun(sandbox, "20261117-090000-bbbb", { phase: "paused" });
  writeFileSync(join(sandbox.home, ".local/state/ai-runtime/runs/active/20261117-090000-bbbb.json"), "{");
  const shown = await run(sandbox, ["status"]);
  expect(shown.exitCode).toBe(0);
  expect(shown.stdout).toContain("20261117-080000-aaaa");
  expect(shown.stdout).toContain("! the record of run 20261117-090000-bbbb cannot be read");
});

test("shows the newest of many ended runs, and how to see the others", async () => {
  await using sandbox = await sandboxWithClaude("exit 0");
  for (let n = 0; n < 30; n++) addRun(sandbox, `20261117-0800${String(n).padStart(2, "0")}-aaaa`, { phase: "done" });
  const shown = (await run(sandbox, ["status"])).stdout.trimEnd().split("\n");
  expect(shown).toHaveLength(22);
  expect(shown.at(-1)).toBe("10 older runs: ai-runtime status --all");
  expect((await run(sandbox, ["status", "--all"])).stdout.trimEnd().split("\n")).toHaveLength(31);
});
