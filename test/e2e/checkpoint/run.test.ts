// What a run writes to disk while it works, and what Claude receives of it on resume.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  restoredHeader,
  runCclaude,
  skipPermissions,
  killableClaude,
  storyThatKills,
} from "../../support/runs/cclaude.ts";
import { CheckpointFiles } from "../../support/worlds/checkpoint-files.ts";
import { forEachClaude, newestClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { runAiRuntime, checkpointOf, onlyRun, step } from "../../support/runs/runs.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import { story } from "../../support/anthropic/scenario.ts";

const write = (sandbox: Sandbox) => ({ file_path: join(sandbox.projectDir, "notes.txt"), content: "one\n" });

forEachClaude((version) => {
  test("a paused run writes checkpoint.json, and Claude receives the task, the last step and the changed files on resume", async () => {
    await using sandbox = await installedSandbox(version);
    const saying = "<!-- CHECKPOINT: notes begun -->";
    await using api = await fakeAnthropic(
      story().callsTool("Write", write(sandbox), { saying }).fails.limit({ resetsInSeconds: 3_600 }).says("All done."),
    );

    expect(await runAiRuntime(sandbox, api, ["run", "Keep notes", skipPermissions, "--no-wait"])).toMatchObject({
      exitCode: 75,
    });

    const { plan } = onlyRun(sandbox);
    expect(plan.directory).toBe(join(sandbox.projectDir, ".ai-runtime/sessions", plan.id));
    expect(readdirSync(plan.directory).sort()).toEqual(["checkpoint.json", "journal.jsonl", "output.log"]);
    expect(checkpointOf(onlyRun(sandbox))).toEqual({
      session_id: plan.sessionId,
      run_id: plan.id,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      task_description: "Keep notes",
      last_step: "notes begun",
      steps: ["notes begun"],
      files_modified: [write(sandbox).file_path],
      interrupted_by: "limit",
      cwd: sandbox.projectDir,
      phase: "paused",
    });

    expect(await runAiRuntime(sandbox, api, ["resume"])).toMatchObject({ exitCode: 0, stdout: "All done.\n" });

    const resumeMessage = api.mainRequests.at(-1)?.lastText ?? "";
    const parts = [restoredHeader, "> Keep notes", "Last completed step: notes begun", `- ${write(sandbox).file_path}`];
    for (const part of parts) expect(resumeMessage).toContain(part);
  });
});

test("a run saves one checkpoint when its stream reports that the usage limit is near", async () => {
  await using sandbox = await installedSandbox(newestClaude);
  const limit = (utilization: number) => ({ limit: { utilization, resetsInSeconds: 3_000 } });
  await using api = await fakeAnthropic(
    story()
      .callsTool("Bash", step("one"), limit(0.5))
      .callsTool("Bash", step("two"), limit(0.97))
      .says("All done.", limit(0.98)),
  );

  expect(await runAiRuntime(sandbox, api, ["run", "Write two steps", skipPermissions])).toMatchObject({ exitCode: 0 });

  const files = new CheckpointFiles(sandbox.configDir);
  expect(JSON.parse(readFileSync(files.usagePath, "utf8"))).toMatchObject({
    saved: [{ window: "five_hour", sessionId: onlyRun(sandbox).plan.sessionId }],
  });
  for (const checkpoint of [files.of(sandbox.projectDir), files.latest()]) {
    expect(checkpoint.seen.usage).toMatch(/^97% of the 5-hour usage limit used, until /);
  }
});

/** Path and text of every log, journal and decision record below a directory. */
function logsIn(directory: string): Map<string, string> {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.log$|^(journal|last-decision|claude-versions)\b/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(names.map((path) => [path, readFileSync(path, "utf8")]));
}

test("no log contains the prompt: not the hook's, not cclaude's, and not that of a run that crashed and resumed", async () => {
  await using sandbox = await installedSandbox(newestClaude);
  const secret = "hunter2-is-the-password";
  const env = { SESSION_SNAPSHOT_DEBUG: "1", SESSION_SNAPSHOT_MIN_SIZE: "1", SESSION_SNAPSHOT_INTERVAL: "1" };
  const claude = killableClaude(sandbox);
  await using api = await fakeAnthropic();
  await runAiRuntime(sandbox, api, ["install"]);
  api.plays(storyThatKills(sandbox, claude));
  const more = { env: { ...env, CCLAUDE_CLAUDE_BIN: claude.path } };
  const ran = await runAiRuntime(sandbox, api, ["run", secret, skipPermissions], more);
  expect([ran.exitCode, ran.stderr]).toEqual([0, expect.stringContaining("claude ended unexpectedly")]);
  api.plays(storyThatKills(sandbox, claude));
  const wrapped = await runCclaude(sandbox, api, ["-p", secret, skipPermissions], more);
  expect([wrapped.exitCode, wrapped.stderr]).toEqual([0, expect.stringContaining("claude ended unexpectedly")]);

  const logs = new Map([...logsIn(sandbox.home), ...logsIn(join(sandbox.projectDir, ".ai-runtime"))]);
  const names = [...logs.keys()].map((path) => path.split("/").at(-1) ?? "");
  expect(names).toEqual(
    expect.arrayContaining([
      "snapshot.log",
      "output.log",
      "journal.jsonl",
      "last-decision.json",
      "claude-versions.json",
    ]),
  );
  expect([...logs].filter(([, text]) => text.includes(secret)).map(([path]) => path)).toEqual([]);
  // The run's own record is where the prompt belongs.
  expect(onlyRun(sandbox).plan.task).toBe(secret);
});
