// When the usage limit of a hosted claude has reset, the host types the message that continues the task.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { continuationText } from "../../../src/core/host/continuation.ts";
import { untilRun } from "../../support/runs/runs.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import { forEachClaude, newestClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { detachKeys, openTerminal, run } from "../../support/terminal/host-world.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { tmuxMissing } from "../../support/terminal/tmux.ts";

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);
const continuation = "The usage limit has reset. Continue the task";
const continueSoon = { AI_RUNTIME_CONTINUE_AFTER_SECONDS: "1" };

const insertMode = "-- INSERT --";

/** Sets the key bindings of claude's prompt. */
async function useVim({ home }: Sandbox): Promise<void> {
  const file = Bun.file(join(home, ".claude.json"));
  await file.write(JSON.stringify({ ...(await file.json()), editorMode: "vim" }));
}

forEachClaude((version) => {
  test.skipIf(missing !== undefined)(
    "the host types one continuation message after the usage limit has reset",
    async () => {
      await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 4 }).says("Went on."));
      await using sandbox = await installedSandbox(version);
      await sandbox.trustProject();
      await using terminal = await openTerminal(sandbox, { ...sandbox.claudeEnv(api), ...continueSoon });
      run(terminal, "cclaude 'Do a lot'");
      await terminal.until(/limit/i);
      terminal.press(...detachKeys);
      await terminal.until(/^Detached from/m);
      run(terminal, "clear; ai-runtime attach");
      await terminal.until(/Went on\./);
      expect(api.mainRequests.at(-1)?.conversationText.split(continuation)).toHaveLength(2);
      expect(terminal.screen.split(continuation)).toHaveLength(2);
    },
  );

  test.skipIf(missing !== undefined)(
    "the host's text arrives whole in the normal mode of claude's vim editor",
    async () => {
      await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 12 }).says("Went on."));
      await using sandbox = await installedSandbox(version);
      await sandbox.trustProject();
      await useVim(sandbox);
      await using terminal = await openTerminal(sandbox, { ...sandbox.claudeEnv(api), ...continueSoon });
      run(terminal, "cclaude 'Do a lot'");
      await terminal.until((shown) => /limit/i.test(shown) && shown.includes(insertMode));
      if (version === "2.1.197") {
        // A moment later its menu covers the prompt; an Escape now would close the menu and not change the mode.
        await terminal.until(/What do you want to do\?/);
        terminal.press("Escape");
        await terminal.until((shown) => shown.includes(insertMode));
      }
      terminal.press("Escape");
      await terminal.until((shown) => !shown.includes(insertMode));
      await terminal.until(/Went on\./);
      const { conversationText } = api.mainRequests.at(-1) ?? { conversationText: "" };
      expect(conversationText.split(continuationText)).toHaveLength(2);
    },
  );
});

/** Waits for the host's decision at a limit that has reset. */
const untilHeld = (sandbox: Sandbox, cause: string): Promise<unknown> =>
  untilRun(sandbox, ({ status }) => status.phase === "waiting-limit" && status.cause === cause);

test.skipIf(missing !== undefined)(
  "the host does not type over text that the user has begun, and Enter sends the user's text",
  async () => {
    await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 1 }).says("Went on."));
    await using sandbox = await installedSandbox(newestClaude);
    await sandbox.trustProject();
    await using terminal = await openTerminal(sandbox, { ...sandbox.claudeEnv(api), ...continueSoon });
    run(terminal, "cclaude 'Do a lot'");
    await terminal.until(/limit/i);
    terminal.type("half a sentence");
    await terminal.until(/^[>❯].half a sentence/m);
    await untilHeld(sandbox, "typing");
    expect(terminal.screen).toMatch(/^[>❯].half a sentence\s*$/m);
    expect(terminal.screen).not.toContain(continuation);
    terminal.press("Enter");
    await terminal.until(/Went on\./);
    const { conversationText } = api.mainRequests.at(-1) ?? { conversationText: "" };
    expect(conversationText).toContain("half a sentence");
    expect(conversationText).not.toContain(continuation);
  },
);

test.skipIf(missing !== undefined)(
  "the host types nothing after the user canceled the wait of claude with Escape, until the next prompt",
  async () => {
    await using api = await fakeAnthropic(
      story()
        .fails.limit({ resetsInSeconds: 10 })
        .says("As you like.")
        .fails.limit({ resetsInSeconds: 1 })
        .says("Went on."),
    );
    await using sandbox = await installedSandbox(newestClaude);
    await sandbox.trustProject();
    await using terminal = await openTerminal(sandbox, { ...sandbox.claudeEnv(api), ...continueSoon });
    run(terminal, "cclaude 'Do a lot'");
    await terminal.until(/esc to cancel/i);
    // With text at the prompt the host waits past the reset; the text is removed and the wait canceled before it types.
    terminal.type("x");
    await untilHeld(sandbox, "typing");
    terminal.press("C-u", "Escape");
    await terminal.until(/Automatic continue cancelled/);
    await untilHeld(sandbox, "canceled");
    expect((await sandbox.run(["ai-runtime", "status"])).stdout).toContain("you canceled the wait");
    terminal.type("My own prompt");
    await terminal.until(/^[>❯].My own prompt/m);
    terminal.press("Enter");
    await terminal.until(/As you like\./);
    expect(api.mainRequests.at(-1)?.conversationText).not.toContain(continuation);
    // A later limit is another one.
    terminal.type("More");
    await terminal.until(/^[>❯].More/m);
    terminal.press("Enter");
    await terminal.until(/Went on\./);
    expect(api.mainRequests.at(-1)?.conversationText.split(continuation)).toHaveLength(2);
  },
);
