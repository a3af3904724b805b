// Sends the same keys to claude and to cclaude (in a host, and without one) in a real terminal; compares screens and exit codes.
import { expect, test } from "bun:test";
import { lastDecision } from "../../support/runs/cclaude.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { type ClaudeVersion, forEachClaude, newestClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic, noReplyLeft } from "../../support/anthropic/fake-anthropic.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { Tmux, tmuxMissing } from "../../support/terminal/tmux.ts";
import { enterPrompt } from "../../support/terminal/host-world.ts";

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);
const size = { columns: 100, rows: 30 };
/** A suggestion would take a reply of the story. */
const noSuggestions = { CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "false" };

/**
 * Types, opens a menu, answers a permission dialog, pastes, resizes, interrupts, suspends, resumes and exits. Returns the screen
 * after each step.
 */
async function playKeys(
  program: "claude" | "cclaude",
  version: ClaudeVersion,
  env: Record<string, string> = {},
): Promise<Record<string, string>> {
  const command = { command: "touch made", description: "Make a file" };
  await using api = await fakeAnthropic(
    story().says("Hello from the model.").callsTool("Bash", command).says("It is made.").says("Hello again."),
  );
  await using sandbox = await installedSandbox(version);
  await sandbox.trustProject();
  await using terminal = new Tmux(sandbox, { ...sandbox.claudeEnv(api), ...noSuggestions, ...env }, size);
  const screens: Record<string, string> = {};
  const capture = async (name: string, expected: RegExp, kept = conversationLines): Promise<void> => {
    screens[name] = normalize(await terminal.until(expected), sandbox.root, kept);
  };
  await terminal.until(/READY>/);
  terminal.type(`${program} --permission-mode default 'Say hello'`);
  terminal.press("Enter");
  await capture("answered", /Hello from the model\.[^]*\n[>❯]/, /Hello from the model/);
  terminal.type("/mode");
  await capture("slash command", /\/model +Set the AI model/, commandLines);
  terminal.type("l");
  await terminal.until(/^[>❯].\/model/m);
  terminal.press("Enter");
  await capture("menu", /Select model[^]*Esc to/, choiceLines);
  await terminal.pressUntil("Escape", /^(?![^]*Select model)[^]*^[>❯]\s*$/m);
  await enterPrompt(terminal, "Make it");
  await capture("permission dialog", /Do you want to proceed\?[^]*Esc to cancel/, choiceLines);
  const permitted = /It is made\.[^]*^[>❯]\s*$/m;
  await terminal.pressUntil("Enter", permitted);
  // After a menu or a dialog, Claude may or may not paint the older part of the conversation again.
  await capture("permitted", permitted, /It is made|^[>❯]$/);
  terminal.paste(`${"pasted words ".repeat(10)}\n`.repeat(40));
  await capture("pasted", /\[Pasted text #1/, /It is made|Pasted text/);
  await terminal.pressUntil("C-c", /^(?![^]*\[Pasted)[^]*^[>❯]\s*$/m);
  terminal.resize({ columns: 80, rows: 24 });
  terminal.type("to be deleted");
  await capture("resized", /^[>❯].to be deleted/m, /to be deleted/);
  // Ctrl-C removed the paste; a second one in a short time would end claude.
  await terminal.until(/^(?![^]*again to exit)/);
  await terminal.pressUntil("C-c", /^[>❯](?!.*to be deleted)[^]*again to exit/m);
  terminal.press("C-z");
  await capture("suspended", /Stopped[^]*READY> *\n/, shellLines);
  terminal.type("fg");
  terminal.press("Enter");
  await terminal.until(/^[>❯]\s*$/m);
  await enterPrompt(terminal, "Go on");
  await capture("resumed", /Hello again\./, /Go on$|Hello again/);
  await enterPrompt(terminal, "/exit");
  await terminal.until(/READY> *\n*$/);
  terminal.type("code=$?; clear; echo code=$code");
  terminal.press("Enter");
  await capture("left", /^code=\d+\s+READY>/m);
  return screens;
}

const conversationLines = /^(READY>|[>❯●⏺]|\[\d\]|code=|claude |Claude Code has been|Resume this|.*again to exit)/;
const choiceLines = /^( +❯? ?\d\. | *Do you want)/;
const commandLines = /^( +\/\w+ {2}|[>❯].?\/)/;
const shellLines = /^(READY>|\[\d\]|Claude Code has been)/;

/**
 * Keeps the conversation, the input line and the shell's output, or what else a step is about. The rest is random: the mascot
 * and the marks of running tools blink, and tips, notices and the spinner's words change.
 */
function normalize(screen: string, root: string, kept: RegExp): string {
  return (
    screen
      .replaceAll(root, "ROOT")
      .replaceAll("cclaude", "claude")
      // The client asks for a prompt suggestion, for which the story has no reply.
      .replaceAll(noReplyLeft, "")
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "SESSION")
      .replaceAll(/(again to exit).*/g, "$1")
      .split("\n")
      .map((line) => line.trimEnd())
      .filter((line) => kept.test(line))
      .join("\n")
  );
}

forEachClaude((version) => {
  test.skipIf(missing !== undefined)(
    "cclaude shows the same screens as claude at each step of a session, with menus, dialogs, pastes, resizes and Ctrl-Z",
    async () => {
      // At the same time, because most of it is waiting for Claude's own timers.
      const [plain, hosted, direct] = await Promise.all([
        playKeys("claude", version),
        playKeys("cclaude", version),
        version === newestClaude ? playKeys("cclaude", version, { CCLAUDE_DIRECT: "1" }) : undefined,
      ]);
      expect(hosted).toEqual(plain);
      expect(hosted["left"]).toMatch(/code=0$/m);
      if (direct) expect(direct).toEqual(plain);
    },
  );

  test.skipIf(missing !== undefined)(
    "cclaude exits with claude's code and resumes nothing when the user presses Ctrl-D or Ctrl-C twice",
    async () => {
      const leave = async (key: string, program: string): Promise<void> => {
        await using api = await fakeAnthropic(story().says("Hello from the model."));
        await using sandbox = await installedSandbox(version);
        await sandbox.trustProject();
        await using terminal = new Tmux(sandbox, sandbox.claudeEnv(api), size);
        await terminal.until(/READY>/);
        terminal.type(`${program} 'Say hello'`);
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
      };
      await Promise.all([leave("C-d", "cclaude"), leave("C-c", "cclaude --direct")]);
    },
  );
});
