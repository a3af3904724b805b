// What a run goes by when it is taken up again: its journal, its record, and what others know of the limit.
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunRecord } from "../../src/core/run-record.ts";
import { Journal } from "../../src/store/journal.ts";
import { tryLock } from "../../src/store/lock.ts";
import { checkpointOf, onlyRun, runRecords, untilRun } from "../support/runs.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { addRun, run, scratch } from "../support/scripted-claude.ts";

setDefaultTimeout(60_000);

const id = "20261117-090000-aaaa";
const stateOf = (sandbox: Sandbox): string => join(sandbox.home, ".local/state/ai-runtime");

/** A run whose journal says more than its record. */
function addJournal(sandbox: Sandbox, status: Partial<RunRecord["status"]>, entries: [string, object][]): void {
  addRun(sandbox, id, status);
  const directory = join(sandbox.projectDir, ".ai-runtime/sessions", id);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const journal = new Journal(join(directory, "journal.jsonl"));
  for (const [kind, fields] of entries) journal.append(1_794_900_000_000, kind, { ...fields });
}

for (const [phase, says] of [
  ["done", "is done already"],
  ["stopped", "was stopped for good"],
] as const) {
  test(`a run that died when only its journal had heard that it was ${phase} is never started again`, async () => {
    await using sandbox = await scratch("touch started; exit 9");
    addJournal(sandbox, { phase: "working", attempts: 1 }, [["transition", { phase }]]);
    expect((await run(sandbox, ["status", "--json"])).stdout).toContain(`"state":"${phase}"`);
    expect(await run(sandbox, ["resume", id])).toMatchObject({ exitCode: 4, stderr: expect.stringContaining(says) });
    // From now on the record says so too.
    expect(existsSync(join(stateOf(sandbox), "runs/ended", `${id}.json`))).toBeTrue();
    expect(onlyRun(sandbox).status.phase).toBe(phase);
    expect(await run(sandbox, ["recover", "--all"])).toMatchObject({ exitCode: 0, stdout: "" });
    expect(existsSync(join(sandbox.projectDir, "started"))).toBeFalse();
  });
}

test("resume means the newest run that was interrupted or has failed, of this directory first; never what is over", async () => {
  await using sandbox = await scratch("exit 9");
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

test("recover finds what died and what a shutdown ended: no service, nothing paused by its user, nothing that is held", async () => {
  await using sandbox = await scratch("exit 9");
  const at = (hour: string): string => `20261117-${hour}0000-aaaa`;
  addRun(sandbox, at("07"), { phase: "working", attempts: 1 });
  addRun(sandbox, at("08"), { phase: "paused", cause: "shutdown", attempts: 1 });
  addRun(sandbox, at("09"), { phase: "paused", cause: "interrupted", attempts: 1 });
  addRun(sandbox, at("10"), { phase: "working", attempts: 1 }, { kind: "service" });
  addRun(sandbox, at("11"), { phase: "failed", cause: "crash", attempts: 1 });
  addRun(sandbox, at("12"), { phase: "working", attempts: 1 });
  const locks = join(stateOf(sandbox), "locks");
  mkdirSync(locks, { recursive: true, mode: 0o700 });
  const held = tryLock(join(locks, `${at("12")}.lock`));
  if (held === "busy") throw new Error("nobody else should hold it");
  const found = JSON.parse((await run(sandbox, ["recover", "--dry-run", "--json"])).stdout) as {
    runs: { id: string }[];
  };
  held.release();
  expect(found.runs.map((each) => each.id)).toEqual([at("07"), at("08")]);
});

test("a run is held by the process that took it up, not by whoever has its number now", async () => {
  await using sandbox = await scratch("exit 9");
  const supervisor = { pid: process.pid, startTime: "0", bootId: "another" };
  addRun(sandbox, id, { phase: "working", attempts: 1, supervisor });
  expect((await run(sandbox, ["status", "--json"])).stdout).toContain('"state":"died"');
});

test("a part of an id that fits two runs means neither", async () => {
  await using sandbox = await scratch("exit 9");
  for (const each of [id, "20261117-100000-aaaa"]) addRun(sandbox, each, { phase: "paused" });
  for (const verb of ["resume", "stop", "logs"]) {
    const refused = await run(sandbox, [verb, "aaaa"]);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('"aaaa" fits 2 runs') });
  }
  expect(runRecords(sandbox).map(({ status }) => status.phase)).toEqual(["paused", "paused"]);
});

test("of a run that is over no lock is left", async () => {
  await using sandbox = await scratch("exit 9");
  await run(sandbox, ["run", "Do it"]);
  expect(readdirSync(join(stateOf(sandbox), "locks")).filter((name) => name.startsWith("2"))).toEqual([]);
});

test("a step that stands twice in a journal, having been written anew, is one step", async () => {
  const told = { type: "assistant", message: { content: [{ type: "text", text: "<!-- CHECKPOINT: two -->" }] } };
  await using sandbox = await scratch(`printf '%s\\n' '${JSON.stringify(told)}'; exit 9`);
  const step: [string, object] = ["step", { text: "one", marked: true }];
  addJournal(sandbox, { phase: "paused", cause: "interrupted", attempts: 1 }, [step, ["rewritten", {}], step]);
  await run(sandbox, ["resume", id]);
  expect(onlyRun(sandbox).status).toMatchObject({ steps: 2, lastStep: "two" });
  expect(checkpointOf(onlyRun(sandbox))).toMatchObject({ steps: ["one", "two"] });
});

test("once a step was marked, Claude's task list does not count, in a later start neither", async () => {
  const line = (fields: object): string => `printf '%s\\n' '${JSON.stringify(fields)}'`;
  const says = (...content: object[]): string => line({ type: "assistant", message: { content } });
  const todos = [{ content: "from the list", status: "completed" }];
  const listed = [
    says({ type: "tool_use", id: "t", name: "TodoWrite", input: { todos } }),
    line({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t" }] } }),
  ];
  const begun = line({ type: "system", subtype: "init", session_id: "x" });
  const marked = says({ type: "text", text: "<!-- CHECKPOINT: marked -->" });
  await using sandbox = await scratch(
    [begun, `[ -e again ] || { touch again; ${marked}; exit 3; }`, ...listed, "exit 3"].join("\n"),
  );
  await run(sandbox, ["run", "Do it"], { env: { AI_RUNTIME_MAX_ATTEMPTS: "2" } });
  expect(checkpointOf(onlyRun(sandbox))).toMatchObject({ steps: ["marked"] });
});

test("a subagent's calls are not shown; what it writes is written all the same", async () => {
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
  await using sandbox = await scratch(
    [tells(null, call("a", "/own.txt")), tells("a", call("b", "/aside.txt")), "exit 9"].join("\n"),
  );
  const ended = await run(sandbox, ["run", "Do it"]);
  expect(ended.stderr).toContain("/own.txt");
  expect(ended.stderr).not.toContain("/aside.txt");
  expect(checkpointOf(onlyRun(sandbox))).toMatchObject({ files_modified: ["/own.txt", "/aside.txt"] });
});

test("what cannot be recorded is said once, and nothing is called more than done in part", async () => {
  await using sandbox = await scratch(`echo '{"type":"system","subtype":"init","session_id":"x"}'; exit 3`);
  mkdirSync(join(stateOf(sandbox), "runs"), { recursive: true, mode: 0o700 });
  writeFileSync(join(stateOf(sandbox), "runs/ended"), "a file where the ended runs go");
  const ended = await run(sandbox, ["run", "Do it"], { env: { AI_RUNTIME_MAX_ATTEMPTS: "1" } });
  expect(ended).toMatchObject({ exitCode: 3, stdout: "" });
  expect(ended.stderr.split("\n").filter((line) => line.includes("runs/ended"))).toHaveLength(1);
});

test("a limit that others know of: not believed by who asks for a start, detached or not, but by the restart after it", async () => {
  await using sandbox = await scratch(`echo '{"type":"system","subtype":"init","session_id":"x"}'; exit 3`);
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

test("claude is not told of the cclaude that its run was started from", async () => {
  await using sandbox = await scratch("env > variables; exit 9");
  await run(sandbox, ["run", "Do it"], { env: { CCLAUDE_RUN: "/somewhere", OTHER: "stays" } });
  const variables = readFileSync(join(sandbox.projectDir, "variables"), "utf8");
  expect(variables).toContain("OTHER=stays");
  expect(variables).not.toContain("CCLAUDE_RUN");
});
