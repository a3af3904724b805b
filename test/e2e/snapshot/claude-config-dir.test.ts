import { expect, test } from "bun:test";
import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runCclaude, skipPermissions } from "../../support/runs/cclaude.ts";
import { CheckpointFiles } from "../../support/worlds/checkpoint-files.ts";
import { newestClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { runAiRuntime, onlyRun } from "../../support/runs/runs.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { story } from "../../support/anthropic/scenario.ts";

test("every command uses CLAUDE_CONFIG_DIR, and nothing is written to ~/.claude", async () => {
  await using sandbox = await installedSandbox(newestClaude);
  await using api = await fakeAnthropic();
  const config = join(sandbox.root, "another config");
  const env = { CLAUDE_CONFIG_DIR: config };
  const run = (...words: string[]) => runAiRuntime(sandbox, api, words, { env });
  const files = new CheckpointFiles(config);

  expect(await run("install")).toMatchObject({ exitCode: 0 });
  const { hooks } = JSON.parse(readFileSync(join(config, "settings.json"), "utf8"));
  expect(Object.keys(hooks)).toContain("SessionEnd");
  expect(readdirSync(join(config, "skills"))).toContain("checkpoint");

  const write = { file_path: join(sandbox.projectDir, "a.txt"), content: "a\n" };
  api.plays(story().callsTool("Write", write).fails.limit({ resetsInSeconds: 3_600 }).says("Done."));
  expect(await run("run", "Write a file", skipPermissions, "--no-wait")).toMatchObject({ exitCode: 75 });
  const { sessionId } = onlyRun(sandbox).plan;
  // The run's record names the directory, so resume needs no variable.
  expect(await runAiRuntime(sandbox, api, ["resume"])).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
  const [transcript = "", ...others] = await sandbox.transcripts(config);
  expect([transcript.endsWith(`/${sessionId}.jsonl`), others]).toEqual([true, []]);
  expect(files.of(sandbox.projectDir)).toMatchObject({ goal: "Write a file", where: { files: ["a.txt"] } });
  expect(files.latest()).toEqual(files.of(sandbox.projectDir));

  api.plays(
    story().callsTool("Bash", { command: "echo first-result" }).fails.overloaded({ times: 2 }).says("Went on."),
  );
  const wrapped = await runCclaude(sandbox, api, ["-p", "Do a lot", skipPermissions], { env });
  expect(wrapped).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/Went on\.\n$/) });
  expect(await sandbox.transcripts(config)).toHaveLength(2);

  const snapshot = (...words: string[]) => run("session-snapshot", ...words);
  const status = JSON.parse((await snapshot("status", "--json")).stdout);
  expect(status).toMatchObject({ hooks: { mode: "settings", active: true }, claude: { configDirectory: config } });
  expect(status.sessions).toHaveLength(2);
  const whole = readFileSync(transcript);
  rmSync(transcript);
  expect(await snapshot("restore", sessionId)).toMatchObject({ exitCode: 0 });
  expect(readFileSync(transcript).equals(whole)).toBe(true);
  appendFileSync(transcript, '{"torn');
  expect(JSON.parse((await snapshot("verify", "--all", "--json")).stdout)).toMatchObject({ damaged: 1 });
  expect(await snapshot("repair", sessionId)).toMatchObject({ exitCode: 0 });
  expect((await snapshot("view", sessionId)).stdout).toContain("Write a file");
  expect(await snapshot("test")).toMatchObject({ exitCode: 0 });
  const { findings } = JSON.parse((await run("doctor", "--json")).stdout) as {
    findings: { name: string; state: string; message: string }[];
  };
  expect(findings.filter(({ name, state }) => name === "hooks" && state !== "good")).toEqual([]);
  expect(findings.find(({ name }) => name === "transcripts")?.message).not.toContain(join(sandbox.home, ".claude"));

  // A finished run's checkpoint is replaced by the next one.
  expect(JSON.parse((await run("checkpoint", "show", "--json")).stdout)).toMatchObject({ goal: "Do a lot" });
  expect(await run("checkpoint", "clear")).toMatchObject({ exitCode: 0 });
  expect(files.exists(sandbox.projectDir)).toBe(false);
  const used = { session_id: sessionId, cwd: sandbox.projectDir, rate_limits: { five_hour: { used_percentage: 98 } } };
  await runAiRuntime(sandbox, api, ["statusline"], { env, stdin: JSON.stringify(used) });
  expect(readFileSync(files.usagePath, "utf8")).toContain(sessionId);
  const plan = JSON.parse((await run("service", "plan", "--json")).stdout) as { files: { content: string }[] };
  expect(JSON.stringify(plan.files)).toContain(config);

  expect(await run("uninstall")).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(config, "settings.json"))).toBe(false);
  expect(existsSync(join(config, "skills"))).toBe(false);
  expect(existsSync(sandbox.configDir)).toBe(false);
});

test("after CLAUDE_CONFIG_DIR moved, Claude resumes what restore put back", async () => {
  await using sandbox = await installedSandbox(newestClaude);
  await using api = await fakeAnthropic();
  const [old, config] = [join(sandbox.root, "old config"), join(sandbox.root, "new config")];
  const within = (directory: string) => ({ env: { CLAUDE_CONFIG_DIR: directory } });
  const sessionId = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
  api.plays(story().says("Noted: the word is heron."));
  const first = await runCclaude(sandbox, api, ["-p", "Remember a word", "--session-id", sessionId], within(old));
  expect(first).toMatchObject({ exitCode: 0 });
  renameSync(old, config);
  const [transcript = ""] = await sandbox.transcripts(config);
  rmSync(transcript);

  const words = ["session-snapshot", "restore", sessionId];
  expect(await runAiRuntime(sandbox, api, words, within(config))).toMatchObject({ exitCode: 0 });
  api.plays(story().says("heron"));
  const resumed = await runCclaude(sandbox, api, ["-p", "Which word?", "--resume", sessionId], within(config));
  expect(resumed).toMatchObject({ exitCode: 0, stdout: "heron\n" });
  expect(api.mainRequests.at(-1)?.conversationText).toContain("Noted: the word is heron.");
  expect(existsSync(old)).toBe(false);
});
