// Claude's directory may be anywhere: with CLAUDE_CONFIG_DIR set, every command works there, and none touches ~/.claude.
import { expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runCclaude, skipPermissions } from "../support/cclaude.ts";
import { CheckpointFiles } from "../support/checkpoint-files.ts";
import { newestClaude } from "../support/claude-versions.ts";
import { fakeAnthropic } from "../support/fake-anthropic.ts";
import { airuntime, onlyRun, runSandbox } from "../support/runs.ts";
import { story } from "../support/scenario.ts";

setDefaultTimeout(120_000);

test("every command works in CLAUDE_CONFIG_DIR, and nothing is left in ~/.claude", async () => {
  await using sandbox = await runSandbox(newestClaude);
  await using api = await fakeAnthropic();
  const config = join(sandbox.root, "another config");
  const env = { CLAUDE_CONFIG_DIR: config };
  const call = (...words: string[]) => airuntime(sandbox, api, words, { env });
  const files = new CheckpointFiles(config);

  expect(await call("install")).toMatchObject({ exitCode: 0 });
  const { hooks } = JSON.parse(readFileSync(join(config, "settings.json"), "utf8"));
  expect(Object.keys(hooks)).toContain("SessionEnd");
  expect(readdirSync(join(config, "skills"))).toContain("checkpoint");

  const write = { file_path: join(sandbox.projectDir, "a.txt"), content: "a\n" };
  api.plays(story().callsTool("Write", write).fails.limit({ resetsInSeconds: 3_600 }).says("Done."));
  expect(await call("run", "Write a file", skipPermissions, "--no-wait")).toMatchObject({ exitCode: 75 });
  const { sessionId } = onlyRun(sandbox).plan;
  // Whoever resumes it need not know.
  expect(await airuntime(sandbox, api, ["resume"])).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
  const [transcript = "", ...others] = await sandbox.transcripts(config);
  expect([transcript.endsWith(`/${sessionId}.jsonl`), others]).toEqual([true, []]);
  expect(files.of(sandbox.projectDir)).toMatchObject({ goal: "Write a file", where: { files: ["a.txt"] } });
  expect(files.latest()).toEqual(files.of(sandbox.projectDir));

  api.plays(
    story().callsTool("Bash", { command: "echo first-result" }).fails.overloaded({ times: 2 }).says("Went on."),
  );
  const passed = await runCclaude(sandbox, api, ["-p", "Do a lot", skipPermissions], { env });
  expect(passed).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/Went on\.\n$/) });
  expect(await sandbox.transcripts(config)).toHaveLength(2);

  const snapshot = (...words: string[]) => call("session-snapshot", ...words);
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
  const { findings } = JSON.parse((await call("doctor", "--json")).stdout) as {
    findings: { name: string; state: string; message: string }[];
  };
  expect(findings.filter(({ name, state }) => name === "hooks" && state !== "good")).toEqual([]);
  expect(findings.find(({ name }) => name === "transcripts")?.message).not.toContain(join(sandbox.home, ".claude"));

  // The run is done: what came after it has taken its place.
  expect(JSON.parse((await call("checkpoint", "show", "--json")).stdout)).toMatchObject({ goal: "Do a lot" });
  expect(await call("checkpoint", "clear")).toMatchObject({ exitCode: 0 });
  expect(files.exists(sandbox.projectDir)).toBe(false);
  const used = { session_id: sessionId, cwd: sandbox.projectDir, rate_limits: { five_hour: { used_percentage: 98 } } };
  await airuntime(sandbox, api, ["statusline"], { env, stdin: JSON.stringify(used) });
  expect(readFileSync(files.usagePath, "utf8")).toContain(sessionId);
  const plan = JSON.parse((await call("service", "plan", "--json")).stdout) as { files: { content: string }[] };
  expect(JSON.stringify(plan.files)).toContain(config);

  expect(await call("uninstall")).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(config, "settings.json"))).toBe(false);
  expect(existsSync(join(config, "skills"))).toBe(false);
  expect(existsSync(sandbox.configDir)).toBe(false);
});
