// What the user sees in the terminal when cclaude resumes claude or waits for a limit.
import { expect, test } from "bun:test";
import { restoredHeader, killableClaude } from "../../support/runs/cclaude.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { newestClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { hangs, says } from "../../support/anthropic/replies.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { Tmux, tmuxMissing } from "../../support/terminal/tmux.ts";
import { untilPrompted } from "../../support/transcripts/until-transcript.ts";
import { enterPrompt } from "../../support/terminal/host-world.ts";

const missing = tmuxMissing();
const size = { columns: 100, rows: 30 };

test.skipIf(missing !== undefined)("cclaude resumes a killed claude in the same terminal", async () => {
  await using sandbox = await installedSandbox(newestClaude);
  await sandbox.trustProject();
  const claude = killableClaude(sandbox);
  await using api = await fakeAnthropic(
    story()
      .answers(async () => {
        await untilPrompted(sandbox, "Do a lot");
        claude.kill();
        return hangs();
      })
      .answers((request) =>
        says(request.conversationText.includes(restoredHeader) ? "Went on." : "No resume message."),
      ),
  );
  const env = { ...sandbox.claudeEnv(api), CCLAUDE_CLAUDE_BIN: claude.path, CCLAUDE_RETRY_SECONDS: "0" };
  await using terminal = new Tmux(sandbox, env, size);
  await terminal.until(/READY>/);
  terminal.type("cclaude 'Do a lot'");
  terminal.press("Enter");
  await terminal.until(/Went on\./);
  await enterPrompt(terminal, "/exit");
  await terminal.until(/READY> *\n*$/);
  expect(terminal.history).toMatch(/^cclaude: claude ended unexpectedly \(SIGKILL\); resuming session/m);
});

test.skipIf(missing !== undefined)(
  "cclaude counts down on one line while it waits, and Ctrl-C prints how to resume",
  async () => {
    await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 7_500 }));
    await using sandbox = await installedSandbox(newestClaude);
    await using terminal = new Tmux(sandbox, sandbox.claudeEnv(api), size);
    await terminal.until(/READY>/);
    terminal.type("cclaude -p 'Do a lot' --permission-mode plan");
    terminal.press("Enter");
    await terminal.until(/^cclaude: waiting for the usage limit to reset at \d\d:\d\d · 2h \dm left · Ctrl-C/m);
    terminal.resize({ columns: 70, rows: 24 });
    await terminal.until(/^cclaude: usage limit until \d\d:\d\d · 2h \dm left · Ctrl-C stops/m);
    terminal.press("C-c");
    await terminal.until(/^cclaude: stopped waiting\. Resume with: cclaude --resume [^]*--permission-mode plan$/m);
    terminal.type("echo code=$?");
    terminal.press("Enter");
    await terminal.until(/code=130/);
  },
);
