// The real claude in a host: its terminal goes away, another one finds it as it was, and typing goes on.
import { expect, test } from "bun:test";
import { cclaudeSandbox } from "../support/cclaude.ts";
import { forEachClaude } from "../support/claude-versions.ts";
import { fakeAnthropic } from "../support/fake-anthropic.ts";
import { detachKeys, hostRecord, openTerminal, run } from "../support/host-world.ts";
import { story } from "../support/scenario.ts";
import { tmuxMissing } from "../support/tmux.ts";

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);

forEachClaude((version) => {
  test.skipIf(missing !== undefined)(
    "detached, its terminal killed, attached from another: the same screen, and typing works",
    async () => {
      await using api = await fakeAnthropic(story().says("Hello from the model.").says("Hello again."));
      await using sandbox = await cclaudeSandbox(version);
      await sandbox.trustProject();
      await using first = await openTerminal(sandbox, sandbox.claudeEnv(api));
      run(first, "cclaude --detachable 'Say hello'");
      await first.until(/Hello from the model\.[^]*\n[>❯]/);
      first.type("half a prompt");
      await first.until(/^[>❯].half a prompt/m);
      first.press(...detachKeys);
      await first.until(/^Detached from [\w-]+; it goes on/m);
      first.kill();

      await using second = await openTerminal(sandbox);
      run(second, "ai-runtime attach");
      await second.until(/attached to [\w-]+ · Ctrl-\\ d detaches/);
      expect(second.screen).toMatch(/^[>❯].half a prompt/m);
      expect(second.screen).toContain("Hello from the model.");
      await second.pressUntil("C-u", /^(?![^]*half a prompt)/);
      // No shell is there to wake what Ctrl-Z stops: so it does not stop.
      second.press("C-z");
      second.type("Go on");
      await second.until(/^[>❯].Go on/m);
      second.press("Enter");
      await second.until(/Hello again\./);
      second.type("/exit");
      await second.until(/^[>❯].\/exit/m);
      second.press("Enter");
      await second.until(/READY> *\n*$/);
      run(second, "echo code=$?");
      await second.until(/code=0/);
      expect(hostRecord(sandbox).end).toMatchObject({ exitCode: 0, signal: null });
    },
    120_000,
  );
});
