// cclaude in the user's own terminal: what a kill or a lost terminal interrupts can be recovered, what the user ended cannot.
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { RunRecord } from "../../../src/core/run/run-record.ts";
import { isSameProcess } from "../../../src/io/process/process.ts";
import { restoredHeader } from "../../support/runs/cclaude.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { forEachClaude, newestClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { callsTool, failure, type Reply, says } from "../../support/anthropic/replies.ts";
import { runAiRuntime, onlyRun, runRecords, step, stepsDone, untilRun } from "../../support/runs/runs.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import { openTerminal, run } from "../../support/terminal/host-world.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { tmuxMissing } from "../../support/terminal/tmux.ts";
import { untilTranscript } from "../../support/transcripts/until-transcript.ts";
import { until } from "../../support/until.ts";

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);
const direct = { CCLAUDE_DIRECT: "1" };
const permitted = "--permission-mode acceptEdits --allowedTools Bash";
const mention = /cclaude: an interrupted session of this directory \("Write two steps", [\d:]+\) can be continued:/;

/** What a crash of the machine leaves. */
async function killBoth({ status }: RunRecord): Promise<void> {
  process.kill(status.supervisor?.pid ?? 0, "SIGKILL");
  process.kill(status.child?.pid ?? 0, "SIGKILL");
  await until(() => !status.child || !isSameProcess(status.child), "the killed claude to end");
}

/** Refuses everything until the limit resets, then asks for the second step and ends. */
function limitedFor(seconds: number): Reply {
  let resetsAt = 0;
  const left = [callsTool("Bash", step("two")), says("All done.")];
  return () => {
    const now = Math.floor(Date.now() / 1_000);
    resetsAt ||= now + seconds;
    return now < resetsAt ? failure.limit({ resetsAt }) : (left.shift() ?? says("Nothing is left."));
  };
}

describe.each(["2.1.326", "2.1.197"] as const)("Claude Code %s", (version) => {
  test.skipIf(missing !== undefined)(
    "a claude without cclaude that was killed is mentioned by the next cclaude, once, and not when it was continued to its end",
    async () => {
      await using api = await fakeAnthropic(story().says("One.").hangs().says("Went on."));
      await using sandbox = await installedSandbox(version);
      await sandbox.trustProject();
      const env = sandbox.claudeEnv(api);
      await using terminal = await openTerminal(sandbox, { ...env, ...direct });
      run(terminal, "claude 'Fix the login'");
      await terminal.until(/One\./);
      run(terminal, "And now?");
      await api.request(2);
      await untilTranscript(sandbox, "And now?");
      await killPlain(sandbox);
      await terminal.until(/Killed/);
      run(terminal, "clear; for n in 1 2; do CCLAUDE_CLAUDE_BIN=/bin/true cclaude; done; echo over");
      const screen = (await terminal.until(/^over$/m)).replaceAll("\n", "");
      expect(screen.match(/an interrupted session of this directory \("Fix the login", /g)).toHaveLength(1);
      const sessionId = /can be continued: cclaude --resume ([0-9a-f-]{36})/.exec(screen)?.[1] ?? "";
      expect((await sandbox.transcripts())[0]).toEndWith(`/${sessionId}.jsonl`);

      run(terminal, `clear; claude --resume ${sessionId} 'Go on'`);
      await terminal.until(/Went on\./);
      terminal.type("/exit");
      await terminal.until(/^[>❯].\/exit/m);
      terminal.press("Enter");
      await terminal.until(/READY>\s*$/);
      run(terminal, "clear; CCLAUDE_CLAUDE_BIN=/bin/true cclaude; echo over");
      expect(await terminal.until(/^over$/m)).not.toContain("an interrupted session");
    },
  );
});

/** Kills the claude that Claude's own list names. */
async function killPlain(sandbox: Sandbox): Promise<void> {
  const directory = join(sandbox.configDir, "sessions");
  const name = readdirSync(directory).find((each) => each.endsWith(".json")) ?? "";
  process.kill(Number.parseInt(name, 10), "SIGKILL");
}

forEachClaude((version) => {
  test.skipIf(missing !== undefined)(
    "recover brings a cclaude back that was killed together with its claude, and the next cclaude mentions it once",
    async () => {
      await using api = await fakeAnthropic(
        story().callsTool("Bash", step("one")).hangs().callsTool("Bash", step("two")).says("All done."),
      );
      await using sandbox = await installedSandbox(version);
      await sandbox.trustProject();
      await using terminal = await openTerminal(sandbox, { ...sandbox.claudeEnv(api), ...direct });
      run(terminal, `cclaude 'Write two steps' ${permitted}`);
      await api.request(2);
      await untilTranscript(sandbox, `"content":"one"`);
      const interrupted = await untilRun(sandbox, ({ status }) => status.child !== null);
      await killBoth(interrupted);
      await terminal.until(/Killed/);
      await using next = await openTerminal(sandbox, { ...sandbox.claudeEnv(api), ...direct });
      run(next, "for n in 1 2; do CCLAUDE_CLAUDE_BIN=/bin/true cclaude; done; echo over");
      const screen = (await next.until(/^over$/m)).replaceAll("\n", "");
      expect(screen.match(/an interrupted session/g)).toHaveLength(1);
      expect(screen).toMatch(mention);

      const recovered = await runAiRuntime(sandbox, api, ["recover"]);

      expect(recovered).toMatchObject({ exitCode: 0, stdout: `${interrupted.plan.id}\n` });
      run(next, "clear; ai-runtime attach");
      await next.until(/All done\./);
      expect(stepsDone(sandbox)).toEqual(["one", "two"]);
      expect(api.mainRequests.at(-1)?.conversationText).toContain(restoredHeader);
      expect(new Set(api.mainRequests.map(({ sessionId }) => sessionId)).size).toBe(1);
      expect(onlyRun(sandbox).plan).toMatchObject({
        permissionMode: "acceptEdits",
        sessionId: expect.stringMatching(/./),
      });
    },
  );

  test.skipIf(missing !== undefined)(
    "recover continues a cclaude whose terminal was lost at a limit, after the reset",
    async () => {
      await using api = await fakeAnthropic(
        story().callsTool("Bash", step("one")).answers(limitedFor(5), { times: Infinity }),
      );
      await using sandbox = await installedSandbox(version);
      await sandbox.trustProject();
      const env = { ...sandbox.claudeEnv(api), AI_RUNTIME_CONTINUE_AFTER_SECONDS: "1" };
      await using terminal = await openTerminal(sandbox, { ...env, ...direct });
      run(terminal, `cclaude 'Write two steps' ${permitted}`);
      await terminal.until(/limit/i);
      terminal.kill();
      const interrupted = await untilRun(sandbox, ({ status }) => status.phase === "paused");
      expect(interrupted.status).toMatchObject({ cause: "hangup" });

      expect(await runAiRuntime(sandbox, api, ["recover", "--all"], { env })).toMatchObject({ exitCode: 0 });

      await using other = await openTerminal(sandbox, env);
      run(other, "ai-runtime attach");
      await other.until(/All done\./);
      expect(stepsDone(sandbox)).toEqual(["one", "two"]);
    },
  );
});

test.skipIf(missing !== undefined)(
  "a cclaude that the user left, or whose terminal closed while Claude was idle, leaves nothing to recover",
  async () => {
    for (const end of ["exit", "close"]) {
      await using api = await fakeAnthropic(story().says("Hello from the model."));
      await using sandbox = await installedSandbox(newestClaude);
      await sandbox.trustProject();
      await using terminal = await openTerminal(sandbox, { ...sandbox.claudeEnv(api), ...direct });
      run(terminal, "cclaude 'Say hello'");
      await terminal.until(/Hello from the model\.[^]*\n[>❯]/);
      const { plan } = onlyRun(sandbox);
      expect(plan).toMatchObject({ kind: "interactive", task: "Say hello", cwd: sandbox.projectDir });
      if (end === "close") terminal.kill();
      else {
        await terminal.pressUntil("C-c", /again to exit/);
        terminal.press("C-c");
        await terminal.until(/READY> *\n*$/);
      }
      await until(() => runRecords(sandbox).length === 0, "the record to be removed");
      expect(await runAiRuntime(sandbox, api, ["recover"])).toMatchObject({ exitCode: 4 });
    }
  },
);
