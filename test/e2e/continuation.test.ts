// A hosted claude at a limit, with nobody attached: once it has reset, the host types what a person would.
import { expect, test } from "bun:test";
import { cclaudeSandbox } from "../support/cclaude.ts";
import { forEachClaude, newestClaude } from "../support/claude-versions.ts";
import { fakeAnthropic } from "../support/fake-anthropic.ts";
import { detachKeys, openTerminal, run } from "../support/host-world.ts";
import { story } from "../support/scenario.ts";
import { tmuxMissing } from "../support/tmux.ts";

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);
const words = "The usage limit has reset. Continue the task";
const soon = { AI_RUNTIME_CONTINUE_AFTER_SECONDS: "1" };

forEachClaude((version) => {
  test.skipIf(missing !== undefined)(
    "goes on by what the host types, once",
    async () => {
      await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 4 }).says("Went on."));
      await using sandbox = await cclaudeSandbox(version);
      await sandbox.trustProject();
      await using terminal = await openTerminal(sandbox, { ...sandbox.claudeEnv(api), ...soon });
      run(terminal, "cclaude --detachable 'Do a lot'");
      await terminal.until(/limit/i);
      terminal.press(...detachKeys);
      await terminal.until(/^Detached from/m);
      run(terminal, "clear; ai-runtime attach");
      await terminal.until(/Went on\./);
      // Sent once, and the answer is to it.
      expect(api.mainRequests.at(-1)?.conversationText.split(words)).toHaveLength(2);
      expect(terminal.screen.split(words)).toHaveLength(2);
    },
    120_000,
  );
});

test.skipIf(missing !== undefined)(
  "not over somebody's half a sentence; with Enter it is his",
  async () => {
    await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 1 }).says("Went on."));
    await using sandbox = await cclaudeSandbox(newestClaude);
    await sandbox.trustProject();
    await using terminal = await openTerminal(sandbox, { ...sandbox.claudeEnv(api), ...soon });
    run(terminal, "cclaude --detachable 'Do a lot'");
    await terminal.until(/limit/i);
    terminal.type("half a sentence");
    await terminal.until(/^[>❯].half a sentence/m);
    // Longer than it would have taken: the time itself is what is tested.
    await Bun.sleep(9_000);
    expect(terminal.screen).toMatch(/^[>❯].half a sentence\s*$/m);
    expect(terminal.screen).not.toContain(words);
    terminal.press("Enter");
    await terminal.until(/Went on\./);
    const { conversationText } = api.mainRequests.at(-1) ?? { conversationText: "" };
    expect(conversationText).toContain("half a sentence");
    expect(conversationText).not.toContain(words);
  },
  120_000,
);
