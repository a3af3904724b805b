// The same keys in a real terminal, once for claude and once for cclaude: the same screens and the same exit code.
import { expect, test } from "bun:test";
import { cclaudeSandbox, lastDecision } from "../support/cclaude.ts";
import { type ClaudeVersion, forEachClaude } from "../support/claude-versions.ts";
import { fakeAnthropic, storyIsOver } from "../support/fake-anthropic.ts";
import { story } from "../support/scenario.ts";
import { Tmux, tmuxMissing } from "../support/tmux.ts";

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);
const size = { columns: 100, rows: 30 };

/** Types, resizes, interrupts, suspends, resumes and leaves; returns what was on the screen on the way. */
async function playKeys(program: "claude" | "cclaude", version: ClaudeVersion): Promise<Record<string, string>> {
  await using api = await fakeAnthropic(story().says("Hello from the model.").says("Hello again."));
  await using sandbox = await cclaudeSandbox(version);
  await sandbox.trustProject();
  await using terminal = new Tmux(sandbox, sandbox.claudeEnv(api), size);
  const screens: Record<string, string> = {};
  const keep = async (name: string, wanted: RegExp): Promise<void> => {
    screens[name] = normalize(await terminal.until(wanted), sandbox.root);
  };
  await terminal.until(/READY>/);
  terminal.type(`${program} 'Say hello'`);
  terminal.press("Enter");
  await keep("answered", /Hello from the model\.[^]*\n[>❯]/);
  terminal.resize({ columns: 80, rows: 24 });
  terminal.type("to be deleted");
  await keep("resized", /^[>❯].to be deleted/m);
  await terminal.pressUntil("C-c", /^[>❯](?!.*to be deleted)[^]*again to exit/m);
  terminal.press("C-z");
  await keep("suspended", /Stopped[^]*READY> *\n/);
  terminal.type("fg");
  terminal.press("Enter");
  await terminal.until(/^[>❯]\s*$/m);
  terminal.type("Go on");
  await terminal.until(/^[>❯].Go on/m);
  terminal.press("Enter");
  await keep("resumed", /Hello again\./);
  terminal.type("/exit");
  await terminal.until(/^[>❯].\/exit/m);
  terminal.press("Enter");
  await terminal.until(/READY> *\n*$/);
  terminal.type("code=$?; clear; echo code=$code");
  terminal.press("Enter");
  await keep("left", /^code=\d+\s+READY>/m);
  return screens;
}

/**
 * The conversation, the line to type on, and what the shell shows. The rest moves by itself: the mascot blinks, tips and the
 * words of the spinner are drawn by lot.
 */
function normalize(screen: string, root: string): string {
  return (
    screen
      .replaceAll(root, "ROOT")
      .replaceAll("cclaude", "claude")
      // A suggestion of what to say next, which the story has no reply for.
      .replaceAll(storyIsOver, "")
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "SESSION")
      .split("\n")
      .map((line) => line.trimEnd())
      .filter((line) =>
        /^(READY>|[>❯●⏺]|\[\d\]|code=|claude |Claude Code has been|Resume this|.*again to exit)/.test(line),
      )
      .join("\n")
  );
}

forEachClaude((version) => {
  test.skipIf(missing !== undefined)("typed into, resized, interrupted, suspended, resumed and left", async () => {
    const direct = await playKeys("claude", version);
    const ours = await playKeys("cclaude", version);
    expect(ours).toEqual(direct);
    expect(ours["left"]).toMatch(/code=0$/m);
  });

  test.skipIf(missing !== undefined)(
    "left by Ctrl-D or Ctrl-C, each twice: the code is claude's, and nothing is resumed",
    async () => {
      for (const key of ["C-d", "C-c"]) {
        await using api = await fakeAnthropic(story().says("Hello from the model."));
        await using sandbox = await cclaudeSandbox(version);
        await sandbox.trustProject();
        await using terminal = new Tmux(sandbox, sandbox.claudeEnv(api), size);
        await terminal.until(/READY>/);
        terminal.type("cclaude 'Say hello'");
        terminal.press("Enter");
        await terminal.until(/Hello from the model\.[^]*\n[>❯]/);
        await terminal.pressUntil(key, /again to exit/);
        terminal.press(key);
        await terminal.until(/READY> *\n*$/);
        terminal.type("echo code=$?");
        terminal.press("Enter");
        await terminal.until(/^code=0$/m);
        expect(terminal.history).not.toMatch(/^cclaude:/m);
        expect(lastDecision(sandbox).decision).toEqual({ cause: "left", action: { kind: "exit" } });
      }
    },
    120_000,
  );
});
