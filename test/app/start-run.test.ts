import { expect, test } from "bun:test";
import { currentEnvironment } from "../../src/app/environment.ts";
import { findRecoverable } from "../../src/app/recover.ts";
import { createRun, environmentOfRun, runPathsOf } from "../../src/app/start-run.ts";
import { scratch } from "../support/scripted-claude.ts";

const given = {
  kind: "headless",
  task: "Do it",
  flags: [],
  permissionMode: null,
  maxBudgetUsd: null,
  maxWait: null,
} as const;

test("a run that was just put on disk, and that nobody has taken up yet, is not one that died", async () => {
  await using sandbox = await scratch("exit 9");
  const environment = { ...currentEnvironment(sandbox.env), cwd: sandbox.projectDir };
  const { plan } = createRun(environment, given);
  expect(plan).toMatchObject({ cwd: sandbox.projectDir, claude: `${sandbox.binDir}/claude` });
  expect(findRecoverable(runPathsOf(environment), sandbox.projectDir)).toEqual({ runs: [], ignored: [] });
});

test("whoever resumes a run does so with the Claude directory that it began with", async () => {
  await using sandbox = await scratch("exit 9");
  const environment = { ...currentEnvironment(sandbox.env), cwd: sandbox.projectDir };
  const record = createRun({ ...environment, claudeConfig: "/its/own" }, given);
  const resumed = environmentOfRun(environment, record);
  expect(resumed.claudeConfig).toBe("/its/own");
  expect(resumed.variables["CLAUDE_CONFIG_DIR"]).toBe("/its/own");
  expect(environmentOfRun(resumed, record)).toBe(resumed);
});
