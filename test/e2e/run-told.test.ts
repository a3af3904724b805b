// What a run leaves on disk while it works, and what its Claude is told of that when it goes on.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { restoredMark, runCclaude, skipPermissions, tellingClaude } from "../support/cclaude.ts";
import { CheckpointFiles } from "../support/checkpoint-files.ts";
import { forEachClaude, newestClaude } from "../support/claude-versions.ts";
import { fakeAnthropic } from "../support/fake-anthropic.ts";
import { hangs } from "../support/replies.ts";
import { airuntime, checkpointOf, onlyRun, runSandbox, step } from "../support/runs.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { story } from "../support/scenario.ts";
import { untilTranscript } from "../support/until-transcript.ts";

const write = (sandbox: Sandbox) => ({ file_path: join(sandbox.projectDir, "notes.txt"), content: "one\n" });

forEachClaude((version) => {
  test("checkpoint.json has what a cold start needs, and Claude is told its task, its last step and its files", async () => {
    await using sandbox = await runSandbox(version);
    const saying = "<!-- CHECKPOINT: notes begun -->";
    await using api = await fakeAnthropic(
      story().callsTool("Write", write(sandbox), { saying }).fails.limit({ resetsInSeconds: 3_600 }).says("All done."),
    );

    expect(await airuntime(sandbox, api, ["run", "Keep notes", skipPermissions, "--no-wait"])).toMatchObject({
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

    expect(await airuntime(sandbox, api, ["resume"])).toMatchObject({ exitCode: 0, stdout: "All done.\n" });

    const told = api.mainRequests.at(-1)?.lastText ?? "";
    const parts = [restoredMark, "> Keep notes", "Last completed step: notes begun", `- ${write(sandbox).file_path}`];
    for (const part of parts) expect(told).toContain(part);
  });
});

test("near the cap a run saves one checkpoint, by what its stream says", async () => {
  await using sandbox = await runSandbox(newestClaude);
  const limit = (utilization: number) => ({ limit: { utilization, resetsInSeconds: 3_000 } });
  await using api = await fakeAnthropic(
    story()
      .callsTool("Bash", step("one"), limit(0.5))
      .callsTool("Bash", step("two"), limit(0.97))
      .says("All done.", limit(0.98)),
  );

  expect(await airuntime(sandbox, api, ["run", "Write two steps", skipPermissions])).toMatchObject({ exitCode: 0 });

  const files = new CheckpointFiles(sandbox.configDir);
  expect(JSON.parse(readFileSync(files.usagePath, "utf8"))).toMatchObject({
    saved: [{ window: "five_hour", sessionId: onlyRun(sandbox).plan.sessionId }],
  });
  for (const kept of [files.of(sandbox.projectDir), files.latest()]) {
    expect(kept.seen.usage).toMatch(/^97% of the 5-hour usage limit used, until /);
  }
});

/** Every file of ours below a directory that is a log or tells of what happened, by its path. */
function logsIn(directory: string): Map<string, string> {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.log$|^(journal|last-decision|claude-versions)\b/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(names.map((path) => [path, readFileSync(path, "utf8")]));
}

test("no word of a prompt is in any log: not of hooks, of cclaude, or of a run that died and went on", async () => {
  await using sandbox = await runSandbox(newestClaude);
  const secret = "hunter2-is-the-password";
  const env = { SESSION_SNAPSHOT_DEBUG: "1", SESSION_SNAPSHOT_MIN_SIZE: "1", SESSION_SNAPSHOT_INTERVAL: "1" };
  const claude = tellingClaude(sandbox);
  await using api = await fakeAnthropic();
  await airuntime(sandbox, api, ["install"]);
  const dying = () =>
    story()
      .callsTool("Bash", { command: "echo first-result" })
      .answers(async () => {
        await untilTranscript(sandbox, `"content":"first-result"`);
        claude.kill();
        return hangs();
      })
      .says("Went on.");
  api.plays(dying());
  const more = { env: { ...env, CCLAUDE_CLAUDE_BIN: claude.path } };
  const ran = await airuntime(sandbox, api, ["run", secret, skipPermissions], more);
  expect([ran.exitCode, ran.stderr]).toEqual([0, expect.stringContaining("claude ended unexpectedly")]);
  api.plays(dying());
  const passed = await runCclaude(sandbox, api, ["-p", secret, skipPermissions], more);
  expect([passed.exitCode, passed.stderr]).toEqual([0, expect.stringContaining("claude ended unexpectedly")]);

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
  // It was said, and it is kept where it belongs.
  expect(onlyRun(sandbox).plan.task).toBe(secret);
});
