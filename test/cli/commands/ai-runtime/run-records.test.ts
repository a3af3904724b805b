// What decides about a resume: the run's journal, its record, and the limit that other runs know.
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunRecord } from "../../../../src/core/run/run-record.ts";
import { Journal } from "../../../../src/store/runs/journal.ts";
import { tryLock } from "../../../../src/store/lock.ts";
import { checkpointOf, onlyRun, runRecords, untilRun } from "../../../support/runs/runs.ts";
import type { Sandbox } from "../../../support/sandbox/sandbox.ts";
import { addRun, run, sandboxWithClaude } from "../../../support/runs/scripted-claude.ts";

const id = "20261117-090000-aaaa";
const stateOf = (sandbox: Sandbox): string => join(sandbox.home, ".local/state/ai-runtime");

/** A run whose journal is newer than its record. */
function addJournal(sandbox: Sandbox, status: Partial<RunRecord["status"]>, entries: [string, object][]): void {
  addRun(sandbox, id, status);
  const directory = join(sandbox.projectDir, ".ai-runtime/sessions", id);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const journal = new Journal(join(directory, "journal.jsonl"));
  for (const [kind, fields] of entries) journal.append(1_794_900_000_000, kind, { ...fields });
}

for (const [phase, says] of [
  ["done", "is already done"],
  ["stopped", "was stopped for good"],
] as const) {
  test(`does not resume a run that its journal records as ${phase}, although its record does not`, async () => {
    await using sandbox = await sandboxWithClaude("touch started; exit 9");
    addJournal(sandbox, { phase: "working", attempts: 1 }, [["transition", { phase }]]);
    expect((await run(sandbox, ["status", "--json"])).stdout).toContain(`"state":"${phase}"`);
    expect(await run(sandbox, ["resume", id])).toMatchObject({ exitCode: 4, stderr: expect.stringContaining(says) });
    // The record is now up to date.
    expect(existsSync(join(stateOf(sandbox), "runs/ended", `${id}.json`))).toBeTrue();
    expect(onlyRun(sandbox).status.phase).toBe(phase);
    expect(await run(sandbox, ["recover", "--all"])).toMatchObject({ exitCode: 0, stdout: "" });
    expect(existsSync(join(sandbox.projectDir, "started"))).toBeFalse();
  });
}

test("resume chooses the newest interrupted or failed run, of this directory first, and never an ended one", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  const at = (hour: string): string => `20261117-${hour}0000-aaaa`;
  const elsewhere = { cwd: sandbox.home, directory: join(sandbox.home, ".ai-runtime/sessions", at("09")) };
  addRun(sandbox, at("07"), { phase: "failed", cause: "crash", attempts: 1 });
  addRun(sandbox, at("08"), { phase: "paused", cause: "interrupted", attempts: 1 });
  addRun(sandbox, at("09"), { phase: "paused", cause: "interrupted", attempts: 1 }, elsewhere);
  addRun(sandbox, at("10"), { phase: "paused", attempts: 1 }, { kind: "interactive" });
  for (const [hour, phase] of [
    ["11", "done"],
    ["12", "stopped"],
  ] as const) {
    addRun(sandbox, at(hour), { phase, attempts: 1 });
  }
  const started = (): string[] =>
    runRecords(sandbox).flatMap(({ plan, status }) => (status.attempts > 1 ? [plan.id.slice(9, 11)] : []));
  expect(await run(sandbox, ["resume"])).toMatchObject({ exitCode: 9 });
  expect(started()).toEqual(["08"]);
  expect(await run(sandbox, ["resume"], { cwd: sandbox.binDir })).toMatchObject({ exitCode: 9 });
  expect(started()).toEqual(["08", "09"]);
});

test("recover finds runs that died, gave up or were ended by a shutdown, but no services, paused or active runs", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  const at = (hour: string): string => `20261117-${hour}0000-aaaa`;
  addRun(sandbox, at("07"), { phase: "working", attempts: 1 });
  addRun(sandbox, at("08"), { phase: "paused", cause: "shutdown", attempts: 1 });
  addRun(sandbox, at("09"), { phase: "paused", cause: "interrupted", attempts: 1 });
  addRun(sandbox, at("10"), { phase: "working", attempts: 1 }, { kind: "service" });
  addRun(sandbox, at("11"), { phase: "failed", cause: "authentication", attempts: 1 });
  addRun(sandbox, at("13"), { phase: "failed", cause: "crash", attempts: 1, since: Date.now() });
  addRun(sandbox, at("12"), { phase: "working", attempts: 1 });
  const locks = join(stateOf(sandbox), "locks");
  mkdirSync(locks, { recursive: true, mode: 0o700 });
  const held = tryLock(join(locks, `${at("12")}.lock`));
  if (!held) throw new Error("the lock is already held");
  const found = JSON.parse((await run(sandbox, ["recover", "--dry-run", "--json"])).stdout) as {
    runs: { id: string }[];
  };
  held.release();
  expect(found.runs.map((each) => each.id)).toEqual([at("07"), at("08"), at("13")]);
});

test("a run belongs to its supervisor process, not to another process with the same pid", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  const supervisor = { pid: process.pid, startTime: "0", bootId: "another" };
  addRun(sandbox, id, { phase: "working", attempts: 1, supervisor });
  expect((await run(sandbox, ["status", "--json"])).stdout).toContain('"state":"died"');
});

test("refuses a part of an id that matches two runs", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  for (const each of [id, "20261117-100000-aaaa"]) addRun(sandbox, each, { phase: "paused" });
  for (const verb of ["resume", "stop", "logs"]) {
    const refused = await run(sandbox, [verb, "aaaa"]);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('"aaaa" matches 2 runs') });
  }
  expect(runRecords(sandbox).map(({ status }) => status.phase)).toEqual(["paused", "paused"]);
});

test("status and recover print whole tasks and steps into a pipe", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  const task = `Migrate every test, ${"and then the next one, ".repeat(20)}to the end`;
  const lastStep = `moved ${"one more file and ".repeat(20)}the last file`;
  addRun(sandbox, id, { phase: "working", attempts: 1, lastStep }, { task });
  for (const words of [["status"], ["recover", "--dry-run"]]) {
    const { stdout } = await run(sandbox, words);
    expect(stdout).toContain(task);
    expect(stdout).toContain(lastStep);
  }
});

test("leaves no lock of an ended run", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  await run(sandbox, ["run", "Do it"]);
  expect(readdirSync(join(stateOf(sandbox), "locks")).filter((name) => name.startsWith("2"))).toEqual([]);
});

test("counts a step once that was written to the journal twice", async () => {
  const marked = { type: "assistant", message: { content: [{ type: "text", text: "<!-- CHECKPOINT: two -->" }] } };
  await using sandbox = await sandboxWithClaude(`printf '%s\\n' '${JSON.stringify(marked)}'; exit 9`);
  const step: [string, object] = ["step", { text: "one", marked: true }];
  addJournal(sandbox, { phase: "paused", cause: "interrupted", attempts: 1 }, [step, ["rewritten", {}], step]);
  await run(sandbox, ["resume", id]);
  expect(onlyRun(sandbox).status).toMatchObject({ steps: 2, lastStep: "two" });
  expect(checkpointOf(onlyRun(sandbox))).toMatchObject({ steps: ["one", "two"] });
});

test("ignores Claude's task list once a step was marked, in later attempts too", async () => {
  const line = (fields: object): string => `printf '%s\\n' '${JSON.stringify(fields)}'`;
  const says = (...content: object[]): string => line({ type: "assistant", message: { content } });
  const todos = [{ content: "from the list", status: "completed" }];
  const listed = [
    says({ type: "tool_use", id: "t", name: "TodoWrite", input: { todos } }),
    line({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t" }] } }),
  ];
  const begun = line({ type: "system", subtype: "init", session_id: "x" });
  const marked = says({ type: "text", text: "<!-- CHECKPOINT: marked -->" });
  await using sandbox = await sandboxWithClaude(
    [begun, `[ -e again ] || { touch again; ${marked}; exit 3; }`, ...listed, "exit 3"].join("\n"),
  );
  await run(sandbox, ["run", "Do it"], { env: { AI_RUNTIME_MAX_ATTEMPTS: "2" } });
  expect(checkpointOf(onlyRun(sandbox))).toMatchObject({ steps: ["marked"] });
});

test("hides the tool calls of a subagent, but records its files", async () => {
  const call = (id: string, file_path: string): object => ({
    type: "tool_use",
    id,
    name: "Write",
    input: { file_path },
  });
  const tells = (parent: string | null, block: object): string => {
    const line = { type: "assistant", parent_tool_use_id: parent, message: { content: [block] } };
    return `printf '%s\\n' '${JSON.stringify(line)}'`;
  };
  await using sandbox = await sandboxWithClaude(
    [tells(null, call("a", "/own.txt")), tells("a", call("b", "/aside.txt")), "exit 9"].join("\n"),
  );
  const ended = await run(sandbox, ["run", "Do it"]);
  expect(ended.stderr).toContain("/own.txt");
  expect(ended.stderr).not.toContain("/aside.txt");
  expect(checkpointOf(onlyRun(sandbox))).toMatchObject({ files_modified: ["/own.txt", "/aside.txt"] });
});

test("reports once what cannot be recorded, and ends at most as partly done", async () => {
  await using sandbox = await sandboxWithClaude(`echo '{"type":"system","subtype":"init","session_id":"x"}'; exit 3`);
  mkdirSync(join(stateOf(sandbox), "runs"), { recursive: true, mode: 0o700 });
  writeFileSync(join(stateOf(sandbox), "runs/ended"), "a file where the ended runs go");
  const ended = await run(sandbox, ["run", "Do it"], { env: { AI_RUNTIME_MAX_ATTEMPTS: "1" } });
  expect(ended).toMatchObject({ exitCode: 3, stdout: "" });
  expect(ended.stderr.split("\n").filter((line) => line.includes("runs/ended"))).toHaveLength(1);
});

test("a limit known from other runs does not delay a start by the user, but delays a restart", async () => {
  await using sandbox = await sandboxWithClaude(`echo '{"type":"system","subtype":"init","session_id":"x"}'; exit 3`);
  const account = new Bun.CryptoHasher("sha256").update([sandbox.configDir, "", "", "", ""].join("\0"));
  const limit = { until: Date.now() + 3_600_000, run: id, time: Date.now() };
  mkdirSync(stateOf(sandbox), { recursive: true, mode: 0o700 });
  const limits = { version: 1, accounts: { [account.digest("hex").slice(0, 16)]: limit } };
  writeFileSync(join(stateOf(sandbox), "limits.json"), JSON.stringify(limits));
  await run(sandbox, ["run", "Do it", "--detach"], { env: { CLAUDE_CONFIG_DIR: sandbox.configDir } });
  const waiting = await untilRun(sandbox, ({ status }) => status.phase === "waiting-limit");
  expect(waiting.status.attempts).toBe(1);
  expect(await run(sandbox, ["stop"])).toMatchObject({ exitCode: 0 });
  const asked = sandbox.spawn(["ai-runtime", "run", "Do it"], {
    env: { CLAUDE_CONFIG_DIR: sandbox.configDir, AI_RUNTIME_RETRY_SECONDS: "0.01" },
  });
  const restarted = await untilRun(sandbox, ({ status }) => status.phase === "waiting-limit");
  expect(restarted.status).toMatchObject({ attempts: 1, cause: "limit" });
  asked.signal("SIGINT");
  expect(await asked.finished).toMatchObject({ exitCode: 130 });
});

test("does not pass the variables of an outer cclaude to claude", async () => {
  await using sandbox = await sandboxWithClaude("env > variables; exit 9");
  await run(sandbox, ["run", "Do it"], { env: { CCLAUDE_RUN: "/somewhere", OTHER: "stays" } });
  const variables = readFileSync(join(sandbox.projectDir, "variables"), "utf8");
  expect(variables).toContain("OTHER=stays");
  expect(variables).not.toContain("CCLAUDE_RUN");
});
