// A claude that was killed in a terminal, without cclaude, is offered once at the next cclaude in its directory.
import { expect, test } from "bun:test";
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectDirectoryName } from "../../../src/claude/paths.ts";
import { hasLeftRecords } from "../../../src/app/cclaude/left-here.ts";
import { currentEnvironment, type Environment } from "../../../src/app/environment.ts";
import { takeInterruptedHere } from "../../../src/app/run-records/interrupted-here.ts";
import { runPathsOf } from "../../../src/app/run-records/register-run.ts";
import { sweepSessionEvents } from "../../../src/store/runs/session-registry.ts";
import { addRun, sandboxWithClaude } from "../../support/runs/scripted-claude.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";

const sessionId = "5d0b5f8e-0000-4000-8000-00000000aaaa";
const day = 86_400_000;
/** No process has this start time. */
const dead = { pid: 7, procStart: "1" };

const inProject = (sandbox: Sandbox): Environment => ({
  ...currentEnvironment(sandbox.env),
  cwd: sandbox.projectDir,
});

function leaveClaude(
  sandbox: Sandbox,
  fields: object = {},
  last: object = { type: "user", message: { role: "user", content: "And?" } },
): string {
  const sessions = join(sandbox.configDir, "sessions");
  mkdirSync(sessions, { recursive: true });
  const file = { sessionId, cwd: sandbox.projectDir, kind: "interactive", startedAt: Date.now(), ...dead, ...fields };
  writeFileSync(join(sessions, "7.json"), JSON.stringify(file));
  const project = join(sandbox.configDir, "projects", projectDirectoryName(sandbox.projectDir));
  mkdirSync(project, { recursive: true });
  const lines = [
    { type: "user", uuid: "u", parentUuid: null, sessionId, message: { role: "user", content: "Fix the login" } },
    { uuid: "a", parentUuid: "u", sessionId, ...last },
  ];
  const transcript = join(project, `${sessionId}.jsonl`);
  writeFileSync(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return transcript;
}

test("is offered once, with its first words and the command that continues it", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  const environment = inProject(sandbox);
  leaveClaude(sandbox);
  const command = ["cclaude", "--resume", sessionId];
  expect(takeInterruptedHere(environment, ["--continue"])).toEqual([]);
  expect(takeInterruptedHere(environment, [])).toMatchObject([
    { title: "Fix the login", resume: command, isPlain: true },
  ]);
  expect(takeInterruptedHere(environment, [])).toEqual([]);
  // It was continued and killed again.
  const transcript = leaveClaude(sandbox);
  const later = new Date(Date.now() + 60_000);
  utimesSync(transcript, later, later);
  expect(takeInterruptedHere(environment, [])).toMatchObject([{ resume: command }]);
  // The note of it is removed when it is of no use any more.
  const paths = runPathsOf(environment);
  const before = new Date(Date.now() - 60_000);
  utimesSync(transcript, before, before);
  sweepSessionEvents(paths, Date.now() + 29 * day);
  expect(takeInterruptedHere(environment, [])).toEqual([]);
  sweepSessionEvents(paths, Date.now() + 31 * day);
  expect(takeInterruptedHere(environment, [])).toHaveLength(1);
});

const unanswered = { type: "user", message: { role: "user", content: "And?" } };
test.each([
  { what: "lives", fields: { pid: process.pid, procStart: undefined }, last: unanswered },
  { what: "worked elsewhere", fields: { cwd: "/somewhere" }, last: unanswered },
  { what: "printed", fields: { kind: "print" }, last: unanswered },
  { what: "has an invalid session", fields: { sessionId: "../x" }, last: unanswered },
  { what: "was continued since, and exited", fields: {}, last: { type: "cost-state" } },
])("is not offered when it $what", async ({ fields, last }) => {
  await using sandbox = await sandboxWithClaude("exit 9");
  leaveClaude(sandbox, fields, last);
  expect(takeInterruptedHere(inProject(sandbox), [])).toEqual([]);
});

test("is not offered when a run of ours has its conversation, is too old, or has no transcript", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  const environment = inProject(sandbox);
  const transcript = leaveClaude(sandbox);
  const id = "20270115-080000-aaaa";
  addRun(sandbox, id, { phase: "stopped" }, { sessionId, kind: "interactive" });
  expect(takeInterruptedHere(environment, [])).toEqual([]);
  rmSync(runPathsOf(environment).endedRun(id));
  expect(takeInterruptedHere({ ...environment, now: () => Date.now() + 31 * day }, [])).toEqual([]);
  rmSync(transcript);
  expect(takeInterruptedHere(environment, [])).toEqual([]);
});

test("an interrupted run is told to the user only when nothing continues it by itself", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  const environment = inProject(sandbox);
  const id = "20270115-080000-aaaa";
  addRun(sandbox, id, { phase: "working", since: Date.now() - day });
  expect(takeInterruptedHere(environment, [])).toEqual([]);
  const asking = { ...environment, variables: { ...environment.variables, AI_RUNTIME_RECOVER_AT_LOGIN: "ask" } };
  expect(takeInterruptedHere(asking, [])).toMatchObject([
    { title: `Task ${id}`, resume: ["ai-runtime", "resume", id] },
  ]);
  expect(takeInterruptedHere(asking, [])).toEqual([]);
});

test("the quick look at every start sees it until it is announced", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  const look = `import { hasLeftRecords } from ${JSON.stringify(join(import.meta.dir, "../../../src/app/cclaude/left-here.ts"))}; console.log(hasLeftRecords(process.env))`;
  const ask = async (): Promise<string> =>
    (await sandbox.run([process.execPath, "-e", look], { cwd: sandbox.projectDir })).stdout.trim();
  expect(await ask()).toBe("false");
  leaveClaude(sandbox);
  expect(await ask()).toBe("true");
  takeInterruptedHere(inProject(sandbox), []);
  expect(await ask()).toBe("false");
  expect(hasLeftRecords(sandbox.env)).toBeFalse();
});
