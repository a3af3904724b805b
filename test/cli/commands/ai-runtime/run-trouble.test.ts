// Runs under adverse conditions: many at once, removed records, escape codes in Claude's output, signals at bad moments.
// oxlint-disable no-control-regex
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProcessMark } from "../../../../src/core/run/run-record.ts";
import { isSameProcess } from "../../../../src/io/process/process.ts";
import { checkpointOf, journalOf, onlyRun, runRecords, untilRun } from "../../../support/runs/runs.ts";
import { addRun, run, sandboxWithClaude } from "../../../support/runs/scripted-claude.ts";

const tells = (...content: object[]): string =>
  `printf '%s\\n' '${JSON.stringify({ type: "assistant", message: { content } })}'`;
const says = (text: string): string => tells({ type: "text", text });
/** A claude that works until the test releases it. */
const patient = "until [ -e go ]; do sleep 0.05; done; exit 9";

const lives = (mark: ProcessMark | null): boolean => mark !== null && isSameProcess(mark);
const died = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `20261117-0900${String(n).padStart(2, "0")}-aaaa`);

test("resumes all of many dead runs, even when the last one waits long for its turn", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  const ids = died(8);
  for (const id of ids) addRun(sandbox, id, { phase: "working", attempts: 1 });

  const recovered = await run(sandbox, ["recover", "--all"]);

  expect(recovered).toMatchObject({ exitCode: 0, stdout: `${ids.join("\n")}\n` });
  // Each supervisor holds its run from the start, so that no other takes it and a stop reaches it.
  const waiting = runRecords(sandbox).filter(({ status }) => status.phase === "working");
  expect(waiting.every(({ status }) => status.supervisor !== null)).toBeTrue();
  const last = ids.at(-1) ?? "";
  expect(await run(sandbox, ["stop", last])).toMatchObject({ exitCode: 0 });
  await untilRun(sandbox, ({ plan, status }) => plan.id === ids[6] && status.phase === "failed");
  const phases = runRecords(sandbox).map(({ status }) => String(status.phase));
  expect(phases).toEqual([...ids.slice(1).map(() => "failed"), "stopped"]);
});

for (const phase of ["done", "stopped"] as const) {
  test(`a run that is ${phase} cannot be resumed, in the background or in the foreground`, async () => {
    await using sandbox = await sandboxWithClaude("exit 9");
    addRun(sandbox, "20261117-090000-aaaa", { phase });
    const refused = await run(sandbox, ["resume", "aaaa", "--detach"]);
    expect(refused).toMatchObject({ exitCode: 4, stdout: "" });
    expect(refused.stderr).toContain("there is nothing to resume");
  });
}

test("reports a run whose project is gone, does not change it, and resumes the others", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  const [gone = "", other = ""] = died(2);
  for (const id of [gone, other]) addRun(sandbox, id, { phase: "working", attempts: 1 });
  const path = join(sandbox.home, ".local/state/ai-runtime/runs/active", `${gone}.json`);
  const project = join(sandbox.home, "gone");
  writeFileSync(path, readFileSync(path, "utf8").replaceAll(sandbox.projectDir, project));

  const recovered = await run(sandbox, ["recover", "--all"]);

  expect(recovered).toMatchObject({ exitCode: 3, stdout: `${other}\n` });
  expect(recovered.stderr).toContain(`run ${gone} cannot be resumed: the directory of the run is gone: ${project}`);
  await untilRun(sandbox, ({ plan, status }) => plan.id === other && status.phase === "failed");
  expect(runRecords(sandbox)[0]?.status.phase).toBe("working");
  expect(existsSync(project)).toBeFalse();
  expect(await run(sandbox, ["resume", gone])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("the directory of the run is gone"),
  });
});

for (const [what, cleaning] of [
  ["cleans away", "rm -rf .ai-*"],
  ["empties", "for file in .ai-*/sessions/*/journal.jsonl; do : > $file; done"],
] as const) {
  test(`records that Claude ${what} during the run are written again, with all steps`, async () => {
    const untilNoted = "until grep -q '\"one\"' .ai-*/sessions/*/checkpoint.json; do :; done 2>/dev/null";
    await using sandbox = await sandboxWithClaude(
      [says("<!-- CHECKPOINT: one -->"), untilNoted, cleaning, says("<!-- CHECKPOINT: two -->"), "exit 9"].join("\n"),
    );

    const ended = await run(sandbox, ["run", "Do it"]);

    expect(ended).toMatchObject({ exitCode: 9, stdout: "" });
    expect(ended.stderr).not.toContain("!");
    const steps = journalOf(onlyRun(sandbox)).filter(({ kind }) => kind === "step");
    expect([...new Set(steps.map(({ text }) => text))]).toEqual(["one", "two"]);
    expect(checkpointOf(onlyRun(sandbox))).toMatchObject({ steps: ["one", "two"], phase: "failed" });
  });
}

test("removes escape codes of Claude's output from the terminal and the log", async () => {
  const evil = "\u001b]0;title\u0007\u001b[2J\u009b31mred\u001b[0m\r\u202egnp";
  const call = { type: "tool_use", id: "t", name: `Bash${evil}`, input: { command: `ls ${evil}` } };
  await using sandbox = await sandboxWithClaude(
    [
      says(`One\n\ttwo ${evil} <!-- CHECKPOINT: step ${evil} -->`),
      tells(call),
      `printf '\\033[31mno\\n' >&2; exit 9`,
    ].join("\n"),
  );

  const ended = await run(sandbox, ["run", "Do it"]);

  const log = readFileSync(join(onlyRun(sandbox).plan.directory, "output.log"), "utf8");
  const logged = await run(sandbox, ["logs"]);
  for (const text of [ended.stderr, log, logged.stdout, (await run(sandbox, ["status"])).stdout]) {
    expect(text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
  }
  expect(ended.stderr).toContain("One\n\ttwo red");
  expect(logged.stdout).toContain("▸ Bash");
});

test("removes escape codes from a log that others have written, and prints a long log completely", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  await run(sandbox, ["run", "Do it"]);
  const line = `${"x".repeat(99)}\n`;
  writeFileSync(join(onlyRun(sandbox).plan.directory, "output.log"), `\u001b[2J${line.repeat(30_000)}`);
  for (const verb of ["logs", "attach"]) {
    const shown = await run(sandbox, [verb]);
    expect(shown.stdout === line.repeat(30_000)).toBeTrue();
  }
});

test("logs skips newer runs without a log, such as a terminal session or a run that has just started", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  await run(sandbox, ["run", "Do it"]);
  addRun(sandbox, "20991117-090000-aaaa", { phase: "working", attempts: 1 }, { kind: "interactive" });
  addRun(sandbox, "20991117-100000-aaaa", { phase: "starting" });
  expect(await run(sandbox, ["logs"])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("claude did not"),
  });
});

test("does not report a log as empty that is gone with its project", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  await run(sandbox, ["run", "Do it"]);
  const { plan } = onlyRun(sandbox);
  rmSync(join(sandbox.projectDir, ".ai-runtime"), { recursive: true });
  expect(await run(sandbox, ["logs"])).toMatchObject({
    exitCode: 4,
    stdout: "",
    stderr: expect.stringContaining(`the log of run ${plan.id} is gone: ${plan.directory}/output.log`),
  });
});

test("starts no run in a project that cannot be written, and says why", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  writeFileSync(join(sandbox.projectDir, ".ai-runtime"), "in the way");
  const refused = await run(sandbox, ["run", "Do it"]);
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toMatch(/\.ai-runtime.*\nA run keeps its records in its working directory/);
  expect(runRecords(sandbox)).toEqual([]);
});

test("--quiet still reports why there is no answer", async () => {
  await using sandbox = await sandboxWithClaude("echo no >&2; exit 9");
  expect(await run(sandbox, ["run", "Do it", "--quiet"])).toMatchObject({
    exitCode: 9,
    stdout: "",
    stderr: "✘ claude did not start: no\n",
  });
});

test("refuses an empty id", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  addRun(sandbox, "20261117-090000-aaaa", { phase: "paused" });
  expect(await run(sandbox, ["stop", ""])).toMatchObject({ exitCode: 2 });
  expect(onlyRun(sandbox).status.phase).toBe("paused");
});

test("shows a run whose journal cannot be read", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  addRun(sandbox, "20261117-090000-aaaa", { phase: "working" });
  mkdirSync(join(sandbox.projectDir, ".ai-runtime/sessions/20261117-090000-aaaa/journal.jsonl"), { recursive: true });
  expect(await run(sandbox, ["status"])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("died") });
});

test("a wait beyond every limit is reported, and the default applies", async () => {
  const limit = { type: "rate_limit_event", rate_limit_info: { status: "rejected" } };
  const failure = { type: "assistant", error: "rate_limit", is_api_error_message: true };
  const words = { model: "<synthetic>", content: [{ type: "text", text: "You've hit your limit" }] };
  const result = { type: "result", subtype: "success", is_error: true, num_turns: 1 };
  const lines = [limit, { ...failure, message: words }, result].map(
    (line) => `printf '%s\\n' '${JSON.stringify(line)}'`,
  );
  await using sandbox = await sandboxWithClaude(lines.join("\n").replaceAll("You've", "You have").concat("\nexit 1"));
  const env = { AI_RUNTIME_WAIT_SECONDS: "99999999999999999" };

  const ended = await run(sandbox, ["run", "Do it", "--max-wait", "30m"], { env });

  expect(ended).toMatchObject({ exitCode: 75 });
  expect(ended.stderr).toContain('(got "99999999999999999"); using 3600');
  const shown = await run(sandbox, ["status", "--json"]);
  expect(JSON.parse(shown.stdout)).toMatchObject({ runs: [{ id: onlyRun(sandbox).plan.id, state: "paused" }] });
});

test("keeps SIGHUP ignored under nohup", async () => {
  await using sandbox = await sandboxWithClaude(patient);
  const started = sandbox.spawn(["sh", "-c", `trap "" HUP; exec ai-runtime run "Do it"`]);
  await untilRun(sandbox, ({ status }) => status.phase === "working");
  started.signal("SIGHUP");
  writeFileSync(join(sandbox.projectDir, "go"), "");
  expect(await started.finished).toMatchObject({ exitCode: 9 });
});

test("recover resumes a run that a shutdown ended", async () => {
  await using sandbox = await sandboxWithClaude(patient);
  await run(sandbox, ["run", "Do it", "--detach"]);
  const { plan, status } = await untilRun(sandbox, (record) => record.status.phase === "working");
  process.kill(status.supervisor?.pid ?? 0, "SIGTERM");
  await untilRun(sandbox, (record) => record.status.phase === "paused" && !lives(record.status.supervisor));

  writeFileSync(join(sandbox.projectDir, "go"), "");
  const recovered = await run(sandbox, ["recover"]);

  expect(recovered).toMatchObject({ exitCode: 9 });
  expect(recovered.stderr).toContain(`Recovering ${plan.id}`);
});

test("ends claude on an interrupt even when the conversation cannot be checked", async () => {
  // A directory in place of the transcript.
  const untilHeld = `until grep -q '"phase":"working"' "$HOME"/.local/state/ai-*/runs/active/*.json; do :; done 2>/dev/null`;
  const placed = `until [ "$1" = --session-id ]; do shift; done; mkdir -p "$CLAUDE_CONFIG_DIR/projects/p/$2.jsonl"`;
  await using sandbox = await sandboxWithClaude(
    [untilHeld, placed, says("<!-- CHECKPOINT: placed -->"), patient].join("\n"),
  );
  const started = sandbox.spawn(["ai-runtime", "run", "Do it"], { env: { CLAUDE_CONFIG_DIR: sandbox.configDir } });
  const { status } = await untilRun(sandbox, (record) => record.status.steps === 1);
  started.signal("SIGINT");

  expect(await started.finished).toMatchObject({ exitCode: 130 });

  expect(lives(status.child)).toBeFalse();
});

test("starts many runs at once in a new project", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  const ended = await Promise.all(Array.from({ length: 12 }, () => run(sandbox, ["run", "Do it"])));
  expect(ended.map(({ exitCode, stderr }) => (exitCode === 9 ? "begun" : stderr))).toEqual(ended.map(() => "begun"));
});
