// What a person sees when cclaude has to act: the same terminal, one line of words, a countdown.
import { expect, test } from "bun:test";
import { cclaudeSandbox, restoredMark, tellingClaude } from "../support/cclaude.ts";
import { newestClaude } from "../support/claude-versions.ts";
import { fakeAnthropic } from "../support/fake-anthropic.ts";
import { hangs, says } from "../support/replies.ts";
import { story } from "../support/scenario.ts";
import { Tmux, tmuxMissing } from "../support/tmux.ts";
import { untilTranscript } from "../support/until-transcript.ts";

const missing = tmuxMissing();
const size = { columns: 100, rows: 30 };

test.skipIf(missing !== undefined)(
  "a killed claude comes back on the same terminal and goes on",
  async () => {
    await using sandbox = await cclaudeSandbox(newestClaude);
    await sandbox.trustProject();
    const claude = tellingClaude(sandbox);
    await using api = await fakeAnthropic(
      story()
        .answers(async () => {
          await untilTranscript(sandbox, "Do a lot");
          claude.kill();
          return hangs();
        })
        .answers((request) => says(request.conversationText.includes(restoredMark) ? "Went on." : "Not told.")),
    );
    const env = { ...sandbox.claudeEnv(api), CCLAUDE_CLAUDE_BIN: claude.path, CCLAUDE_RETRY_SECONDS: "0" };
    await using terminal = new Tmux(sandbox, env, size);
    await terminal.until(/READY>/);
    terminal.type("cclaude 'Do a lot'");
    terminal.press("Enter");
    await terminal.until(/Went on\./);
    terminal.type("/exit");
    await terminal.until(/^[>❯].\/exit/m);
    terminal.press("Enter");
    await terminal.until(/READY> *\n*$/);
    expect(terminal.history).toMatch(/^cclaude: claude ended unexpectedly \(SIGKILL\); resuming session/m);
  },
  120_000,
);

test.skipIf(missing !== undefined)(
  "a wait shows its countdown on one line, and Ctrl-C says how to go on",
  async () => {
    await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 7_500 }));
    await using sandbox = await cclaudeSandbox(newestClaude);
    await using terminal = new Tmux(sandbox, sandbox.claudeEnv(api), size);
    await terminal.until(/READY>/);
    terminal.type("cclaude -p 'Do a lot'");
    terminal.press("Enter");
    await terminal.until(/^cclaude: waiting for the usage limit to reset at \d\d:\d\d · 2h 0\dm \d\ds left · Ctrl-C/m);
    terminal.resize({ columns: 70, rows: 24 });
    await terminal.until(/^cclaude: usage limit until \d\d:\d\d · 2h 0\dm \d\ds left · Ctrl-C stops/m);
    terminal.press("C-c");
    await terminal.until(/^cclaude: stopped waiting\. Go on with: cclaude --resume/m);
    terminal.type("echo code=$?");
    terminal.press("Enter");
    await terminal.until(/code=130/);
  },
  120_000,
);
