// The real claude in a host survives its terminal and continues in another one.
import { expect, test } from "bun:test";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { detachKeys, hostRecord, openTerminal, run, enterPrompt } from "../../support/terminal/host-world.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { tmuxMissing } from "../../support/terminal/tmux.ts";

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);

forEachClaude((version) => {
  test.skipIf(missing !== undefined)(
    "a hosted claude keeps its screen and accepts typing when another terminal attaches after the first one was killed",
    async () => {
      await using api = await fakeAnthropic(story().says("Hello from the model.").says("Hello again."));
      await using sandbox = await installedSandbox(version);
      await sandbox.trustProject();
      await using first = await openTerminal(sandbox, sandbox.claudeEnv(api));
      run(first, "cclaude 'Say hello'");
      await first.until(/Hello from the model\.[^]*\n[>❯]/);
      first.type("half a prompt");
      await first.until(/^[>❯].half a prompt/m);
      first.press(...detachKeys);
      await first.until(/^Detached from [\w-]+, which continues/m);
      first.kill();

      await using second = await openTerminal(sandbox);
      run(second, "ai-runtime attach");
      await second.until(/attached to [\w-]+ · Ctrl-\\ d detaches/);
      expect(second.screen).toMatch(/^[>❯].half a prompt/m);
      expect(second.screen).toContain("Hello from the model.");
      await second.pressUntil("C-u", /^(?![^]*half a prompt)/);
      // The shell of the attached client continues both.
      second.press("C-z");
      await second.until(/Stopped +ai-runtime attach[^]*READY> *\n*$/);
      run(second, "clear; fg");
      await second.until(/^[>❯]\s*$/m);
      await enterPrompt(second, "Go on");
      await second.until(/Hello again\./);
      await enterPrompt(second, "/exit");
      await second.until(/READY> *\n*$/);
      run(second, "echo code=$?");
      await second.until(/code=0/);
      // The user has seen the end, so no record is left.
      expect(() => hostRecord(sandbox)).toThrow("found 0");
    },
  );
});
