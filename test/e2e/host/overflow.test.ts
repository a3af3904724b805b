// A conversation that no longer fits in a terminal: the host offers to restore it, and restores it by itself without a terminal.
import { expect, test } from "bun:test";
import { type FakeAnthropic, fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { failure, type Reply, says } from "../../support/anthropic/replies.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { restoredHeader } from "../../support/runs/cclaude.ts";
import { type ClaudeVersion, forEachClaude, newestClaude } from "../../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import { enterPrompt, hostRecord, openTerminal, run, untilHost } from "../../support/terminal/host-world.ts";
import { type Tmux, tmuxMissing } from "../../support/terminal/tmux.ts";
import { untilTranscript } from "../../support/transcripts/until-transcript.ts";

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);

const refusal = failure.promptTooLong({ tokens: 45_000, maximum: 10_000 });
const acceptsOnlyRestored: Reply = ({ conversationText }) =>
  conversationText.includes(restoredHeader) ? says("Went on.") : refusal;

const overflow = () =>
  story()
    .says("Said alpha.", { usage: { input: 100 } })
    .says("Said beta.", { usage: { input: 40_000 } })
    .answers(acceptsOnlyRestored, { times: Infinity })
    .whenCompacting(refusal);

interface Scene {
  readonly sandbox: Sandbox;
  readonly terminal: Tmux;
  readonly api: FakeAnthropic;
}

const size = { columns: 120, rows: 30 };

/** Plays until the API refuses the third prompt, `Finish it`, and its compaction. */
async function play(version: ClaudeVersion, flag: string, act: (scene: Scene) => Promise<void>): Promise<void> {
  await using api = await fakeAnthropic(overflow());
  await using sandbox = await installedSandbox(version);
  await sandbox.trustProject();
  await using terminal = await openTerminal(sandbox, sandbox.claudeEnv(api), size);
  run(terminal, `cclaude ${flag} 'First of all'`);
  await terminal.until(/Said alpha/);
  await enterPrompt(terminal, "And then");
  await terminal.until(/Said beta/);
  await enterPrompt(terminal, "Finish it");
  await act({ sandbox, terminal, api });
}

function expectRestored({ api }: Scene): void {
  const resumed = api.mainRequests.at(-1)?.conversationText ?? "";
  expect(resumed).toContain("Said alpha.");
  expect(resumed).not.toContain("\nSaid beta.");
  expect(resumed).toContain("> Said beta.");
  expect(resumed).toContain("> Finish it");
}

const line = /Context full · Ctrl-\\ r restores to \d\d:\d\d, \d+ tokens kept; after: 2 turns · Ctrl-\\ x dismisses/;

forEachClaude((version) => {
  test.skipIf(missing !== undefined)(
    "the host offers to restore a full conversation, and its key restores it and gives the prompt again",
    () =>
      play(version, "--detachable", async (scene) => {
        const { terminal, sandbox } = scene;
        await terminal.until(line);
        terminal.press("C-\\", "?");
        await terminal.until(/Ctrl-\\ d detaches · Ctrl-\\ r restores/);
        if (version === "2.1.197") {
          // As it may leave it there by itself, see `enterPrompt`. Claude gets this prompt again, so it need not be removed.
          terminal.press("C-u");
          terminal.type("Finish it");
          await terminal.until((screen) => screen.match(/^❯.Finish it/gm)?.length === 2);
        }
        terminal.press("C-\\", "r");
        await terminal.until(/Went on\./);
        expectRestored(scene);
        await untilHost(sandbox, ({ status }) => status?.state.kind === "idle");
        await terminal.until((screen) => !line.test(screen));
        expect(hostRecord(sandbox).end).toBeNull();
      }),
  );
});

test.skipIf(missing !== undefined)(
  "the restore key keeps text at the prompt, another key dismisses the offer, and after /exit cclaude asks whether to restore",
  () =>
    play(newestClaude, "--detachable", async (scene) => {
      const { terminal } = scene;
      await terminal.until(line);
      terminal.type("half");
      await terminal.until(/^[>❯].half/m);
      terminal.press("C-\\", "r");
      await terminal.until(/Send or remove the text at the prompt first/);
      terminal.press("C-u");
      await terminal.until((screen) => line.test(screen) && !/^[>❯].half/m.test(screen));
      terminal.press("C-\\", "x");
      await terminal.until((screen) => !line.test(screen));
      await enterPrompt(terminal, "/exit");
      await terminal.until(
        /Go back to \d\d:\d\d, turn 1, \d+ tokens kept; after it: 2 turns\. Resume there\? \[Y\/n\]/,
      );
      terminal.press("Enter");
      await terminal.until(/Went on\./);
      expectRestored(scene);
    }),
);

test.skipIf(missing !== undefined)(
  "a full conversation whose terminal was killed is restored and continued, and then exits",
  () =>
    play(newestClaude, "--detachable", async (scene) => {
      const { terminal, sandbox } = scene;
      await terminal.until(line);
      terminal.kill();
      await untilTranscript(sandbox, "Went on.");
      expectRestored(scene);
      expect((await untilHost(sandbox, ({ end }) => end !== null)).end).toMatchObject({ exitCode: 0, signal: null });
    }),
);

test.skipIf(missing !== undefined)("without a host, a no to the question ends cclaude as /exit does", () =>
  play(newestClaude, "--direct", async ({ terminal, api }) => {
    await terminal.until(/Context limit reached/);
    await enterPrompt(terminal, "/exit");
    await terminal.until(/Resume there\? \[Y\/n\]/);
    const before = api.mainRequests.length;
    terminal.type("n");
    terminal.press("Enter");
    await terminal.until(/READY>\s*$/);
    expect(api.mainRequests.length).toBe(before);
  }),
);
