// Resumed runs and hosted sessions never have more rights than the conversation had last.
import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { skipPermissions } from "../../support/runs/cclaude.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { onlyRun, runAiRuntime } from "../../support/runs/runs.ts";
import { callsTool } from "../../support/anthropic/replies.ts";
import { story } from "../../support/anthropic/scenario.ts";
import {
  hostRecord,
  openTerminal,
  run,
  enterPrompt,
  startInteractive,
  switchToPlanMode,
  untilHost,
} from "../../support/terminal/host-world.ts";
import { tmuxMissing } from "../../support/terminal/tmux.ts";
import { until } from "../../support/until.ts";
import { untilTranscript } from "../../support/transcripts/until-transcript.ts";

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);

forEachClaude((version) => {
  test("a run whose conversation was last in plan mode is resumed in plan mode", async () => {
    await using sandbox = await installedSandbox(version);
    const written = join(sandbox.projectDir, "written.txt");
    await using api = await fakeAnthropic(story().says("Hello.").fails.limit({ resetsInSeconds: 3_600, times: 2 }));
    api.plays(story().callsTool("Bash", { command: "echo first" }).fails.limit({ resetsInSeconds: 3_600, times: 2 }));
    const paused = await runAiRuntime(sandbox, api, ["run", "Write it", "--no-wait", skipPermissions]);
    expect(paused.exitCode).toBe(75);
    api.plays(story().says("A plan."));
    const { sessionId } = onlyRun(sandbox).plan;
    await sandbox.claude(api, ["-p", "--resume", sessionId, "--permission-mode", "plan", "What next?"]);

    api.plays(story().callsTool("Write", { file_path: written, content: "more rights\n" }).says("Only a plan."));
    const resumed = await runAiRuntime(sandbox, api, ["resume"]);

    expect(resumed.stdout).toBe("Only a plan.\n");
    expect(resumed.stderr).toContain("! resuming in permission mode plan");
    expect(existsSync(written)).toBe(false);
  });

  test.skipIf(missing !== undefined)(
    "a hosted session that was last in plan mode is recovered in plan mode",
    async () => {
      await using api = await fakeAnthropic(story().says("Hello from the model.").says("A plan.").says("Went on."));
      await using sandbox = await installedSandbox(version);
      await sandbox.trustProject();
      const env = sandbox.claudeEnv(api);
      const id = await startInteractive(sandbox, env, ["--permission-mode", "acceptEdits"]);
      await using terminal = await openTerminal(sandbox, env);
      run(terminal, `ai-runtime attach ${id}`);
      await switchToPlanMode(terminal, /Hello from the model\./);
      await enterPrompt(terminal, "Plan the work");
      await untilTranscript(sandbox, "A plan.");
      process.kill(hostRecord(sandbox).running?.host.pid ?? 0, "SIGKILL");
      await terminal.until(/The host of .* is gone/);

      const recovered = await sandbox.run(["ai-runtime", "recover", "--all"], { env });

      expect(recovered).toMatchObject({ exitCode: 0, stdout: `${id}\n` });
      expect(hostRecord(sandbox).plan.command.join(" ")).toContain("--permission-mode plan");
      run(terminal, "clear; ai-runtime attach");
      await terminal.until(/Went on\.[^]*plan mode on/);
    },
  );

  // 2.1.326 also notes the mode in the transcript; 2.1.36 behaves as 2.1.197.
  test.skipIf(missing !== undefined || version !== "2.1.197")(
    "a hosted session is recovered in the mode that the user chose while Claude worked, after everything was killed",
    async () => {
      const inPlanMode = Promise.withResolvers<void>();
      await using sandbox = await installedSandbox(version);
      await using api = await fakeAnthropic(
        story()
          .answers(async () => {
            await inPlanMode.promise;
            return callsTool("Read", { file_path: join(sandbox.projectDir, "README.md") });
          })
          .hangs()
          .says("Went on.", { times: Infinity }),
      );
      await sandbox.trustProject();
      const env = sandbox.claudeEnv(api);
      const id = await startInteractive(sandbox, env, ["--permission-mode", "acceptEdits"]);
      await using terminal = await openTerminal(sandbox, env);
      run(terminal, `ai-runtime attach ${id}`);
      await api.request(1);
      await switchToPlanMode(terminal, /./);
      inPlanMode.resolve();
      await untilHost(sandbox, ({ status }) => status?.reportedMode?.mode === "plan");
      const { running } = hostRecord(sandbox);
      const [claude = ""] = readdirSync(join(sandbox.configDir, "sessions"));
      // A hangup would let claude write its mode, so cclaude and the host, which would cause one, go last.
      process.kill(running?.program?.pid ?? 0, "SIGSTOP");
      for (const pid of [Number.parseInt(claude, 10), running?.program?.pid, running?.host.pid]) {
        process.kill(pid ?? 0, "SIGKILL");
      }
      await until(() => !existsSync(`/proc/${Number.parseInt(claude, 10)}`), "the killed claude to end");
      await terminal.until(/The host of .* is gone/);

      const recovered = await sandbox.run(["ai-runtime", "recover", "--all"], { env });

      expect(recovered).toMatchObject({ exitCode: 0, stdout: `${id}\n` });
      expect(hostRecord(sandbox).plan.command.join(" ")).toContain("--permission-mode plan");
    },
  );
});
