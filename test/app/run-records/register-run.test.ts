import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { findRecoverable } from "../../../src/app/run-records/recover.ts";
import { createRun, environmentOfRun, runPathsOf } from "../../../src/app/run-records/register-run.ts";
import { sandboxWithClaude } from "../../support/runs/scripted-claude.ts";

const given = {
  kind: "headless",
  task: "Do it",
  flags: [],
  permissionMode: null,
  maxBudgetUsd: null,
  maxWait: null,
} as const;

test("a new run does not count as died before its supervisor has started", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  const environment = { ...currentEnvironment(sandbox.env), cwd: sandbox.projectDir };
  const { plan } = createRun(environment, given);
  expect(plan).toMatchObject({ cwd: sandbox.projectDir, claude: `${sandbox.binDir}/claude` });
  expect(findRecoverable({ ...environment, cwd: sandbox.projectDir }, runPathsOf(environment))).toEqual({
    runs: [],
    ignored: [],
    unreadable: [],
  });
});

test("a resume uses the Claude directory that the run started with", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  const environment = { ...currentEnvironment(sandbox.env), cwd: sandbox.projectDir };
  const own = join(sandbox.root, "its own");
  mkdirSync(own);
  const record = createRun({ ...environment, claudeConfig: own }, given);
  const resumed = environmentOfRun(environment, record);
  expect(resumed.claudeConfig).toBe(own);
  expect(resumed.variables["CLAUDE_CONFIG_DIR"]).toBe(own);
  expect(environmentOfRun(resumed, record)).toBe(resumed);
});

test("resumes with the present Claude directory when that of the run no longer exists", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  const environment = { ...currentEnvironment(sandbox.env), cwd: sandbox.projectDir };
  const record = createRun({ ...environment, claudeConfig: join(sandbox.root, "moved away") }, given);
  expect(environmentOfRun(environment, record)).toBe(environment);
});
