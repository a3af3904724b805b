// cclaude in a terminal, direct and hosted, with a client that waits inside its own process.
import { expect, test } from "bun:test";
import { continuationText } from "../../../src/core/host/continuation.ts";
import { waitUntil } from "../../../src/io/wait-until.ts";
import {
  afterReset,
  forEachRetryingClaude,
  isLeftOut,
  limitStory,
  nativeRetry,
  resetOf,
  stormStory,
} from "../../support/runs/native-retry.ts";
import { stepsDone, untilRun } from "../../support/runs/runs.ts";
import { newestClaude } from "../../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { fakeAnthropic, type FakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import { openTerminal, run } from "../../support/terminal/host-world.ts";
import { type Tmux, tmuxMissing } from "../../support/terminal/tmux.ts";

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);
const words = "'Write two steps' --permission-mode acceptEdits --allowedTools Bash";
const retrying = /limit reached · retrying in/i;

async function openWith(sandbox: Sandbox, api: FakeAnthropic, env: Record<string, string> = {}): Promise<Tmux> {
  await sandbox.trustProject();
  return openTerminal(sandbox, { ...sandbox.claudeEnv(api), ...nativeRetry, ...env });
}

/** The host has typed nothing: the conversation has one prompt. */
const expectNothingTyped = (api: FakeAnthropic): void =>
  expect(api.mainRequests.some(({ conversationText }) => conversationText.includes(continuationText))).toBeFalse();

forEachRetryingClaude((version) => {
  for (const command of ["cclaude --direct", "cclaude --detachable"]) {
    const isHosted = command.includes("--detachable");
    const isSkipped = missing !== undefined || isLeftOut(version, isHosted ? newestClaude : "2.1.197");

    test.skipIf(isSkipped)(`${command}: claude itself continues after the reset`, async () => {
      await using api = await fakeAnthropic(limitStory({ resetsInSeconds: 6 }));
      await using sandbox = await installedSandbox(version);
      await using terminal = await openWith(sandbox, api, { AI_RUNTIME_CONTINUE_AFTER_SECONDS: "0" });
      run(terminal, `${command} ${words}`);
      await terminal.until(retrying);
      if (isHosted) {
        const { status } = await untilRun(sandbox, (record) => record.status.phase === "waiting-limit");
        expect(Math.abs((status.until ?? 0) - resetOf(api))).toBeLessThan(5_000);
      }
      await terminal.until(/All done\./);
      expect(stepsDone(sandbox)).toEqual(["one", "two"]);
      expect(afterReset(api)).toBeTrue();
      expectNothingTyped(api);
      expect(api.unexpected).toBeEmpty();
      if (isHosted) await untilRun(sandbox, ({ status }) => status.phase === "working");
    });

    test.skipIf(isSkipped)(`${command}: claude survives a series of 529 answers`, async () => {
      await using api = await fakeAnthropic(stormStory());
      await using sandbox = await installedSandbox(version);
      await using terminal = await openWith(sandbox, api);
      run(terminal, `${command} ${words}`);
      await terminal.until(/All done\./);
      expect(stepsDone(sandbox)).toEqual(["one", "two"]);
      expect(api.unexpected).toBeEmpty();
    });
  }

  const skipsEscape = missing !== undefined || isLeftOut(version, newestClaude);
  test.skipIf(skipsEscape)("Escape cancels claude's wait, and the host does not continue it", async () => {
    await using api = await fakeAnthropic(limitStory({ resetsInSeconds: 6 }));
    await using sandbox = await installedSandbox(version);
    await using terminal = await openWith(sandbox, api, { AI_RUNTIME_CONTINUE_AFTER_SECONDS: "0" });
    run(terminal, `cclaude --detachable ${words}`);
    await untilRun(sandbox, ({ status }) => status.phase === "waiting-limit");
    await terminal.pressUntil("Escape", /Interrupted/);
    // The host has looked at the screen and at the transcript after the cancellation.
    await untilRun(sandbox, ({ status }) => status.phase === "working");
    terminal.type("My own prompt");
    await terminal.until(/[>❯].My own prompt/);
    await waitUntil(resetOf(api));
    expect(api.mainRequests).toHaveLength(2);
    terminal.press("Enter");
    await terminal.until(/All done\./);
    expectNothingTyped(api);
    expect(stepsDone(sandbox)).toEqual(["one", "two"]);
  });
});

test.skipIf(missing !== undefined)("with quiet hours a claude in a terminal does not continue by itself", async () => {
  await using api = await fakeAnthropic(limitStory({ resetsInSeconds: 3_600 }));
  await using sandbox = await installedSandbox(newestClaude);
  await using terminal = await openWith(sandbox, api, { AI_RUNTIME_QUIET_HOURS: "22:00-07:00" });
  run(terminal, `cclaude --detachable ${words}`);
  await terminal.until(/limit reached/i);
  await untilRun(sandbox, ({ status }) => status.phase === "waiting-limit");
  expect(terminal.screen).not.toMatch(retrying);
});
