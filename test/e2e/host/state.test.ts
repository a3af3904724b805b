// Every state of a hosted claude appears in `ai-runtime status --json`.
import { expect, test } from "bun:test";
import { type FakeAnthropic, fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { story, type Story } from "../../support/anthropic/scenario.ts";
import { type ClaudeVersion, forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import { goOn, openTerminal, run, untilHost, waitForFile } from "../../support/terminal/host-world.ts";
import { OuterTerminal, sandboxWithProgram } from "../../support/terminal/outer-terminal.ts";
import { type Tmux, tmuxMissing } from "../../support/terminal/tmux.ts";
import { until } from "../../support/until.ts";

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);

interface StatusOfClaude {
  readonly state: string;
  readonly title: string | null;
  readonly claude: { readonly state: string; readonly about: string | null; readonly until: string | null } | null;
}

/** Waits until status reports this about the only run. */
async function untilStatus(sandbox: Sandbox, predicate: (run: StatusOfClaude) => boolean): Promise<StatusOfClaude> {
  let last: StatusOfClaude | undefined;
  const look = async (): Promise<StatusOfClaude | false> => {
    const { stdout } = await sandbox.run(["ai-runtime", "status", "--json"]);
    [last] = (JSON.parse(stdout) as { runs: StatusOfClaude[] }).runs;
    return last !== undefined && predicate(last) && last;
  };
  return until(look, () => `the expected state in status: ${JSON.stringify(last)}`, 60_000);
}

const untilState = (sandbox: Sandbox, state: string, about?: string): Promise<StatusOfClaude> =>
  untilStatus(sandbox, ({ claude }) => claude?.state === state && (about === undefined || claude.about === about));

interface Scene {
  readonly sandbox: Sandbox;
  readonly terminal: Tmux;
  readonly api: FakeAnthropic;
}

async function play(version: ClaudeVersion, plot: Story, act: (scene: Scene) => Promise<void>): Promise<void> {
  await using api = await fakeAnthropic(plot);
  await using sandbox = await installedSandbox(version);
  await sandbox.trustProject();
  await using terminal = await openTerminal(sandbox, sandbox.claudeEnv(api));
  await act({ sandbox, terminal, api });
}

const question = {
  question: "Which color?",
  header: "Color",
  multiSelect: false,
  options: [
    { label: "Red", description: "as fire" },
    { label: "Blue", description: "as water" },
  ],
};

forEachClaude((version) => {
  test.skipIf(missing !== undefined)("a claude asks a question, asks for a permission, works, is idle, and ends", () =>
    play(
      version,
      story()
        .callsTool("AskUserQuestion", { questions: [question] })
        .callsTool("Bash", waitForFile)
        .says("All done."),
      async ({ sandbox, terminal }) => {
        // Unlike cclaude, it keeps a record of an end that a terminal has seen.
        run(terminal, "ai-runtime run --interactive 'Ask me' --permission-mode default");
        await terminal.until(/Which color\?/);
        expect(await untilState(sandbox, "asking")).toMatchObject({ title: "Ask me", claude: { about: "question" } });
        terminal.press("Enter");
        await terminal.until(/Do you want to proceed\?/);
        expect(await untilState(sandbox, "asking", "permission")).toMatchObject({ title: "Ask me", state: "working" });
        terminal.press("Enter");
        await untilState(sandbox, "working");
        await goOn(sandbox);
        await terminal.until(/All done\./);
        await untilState(sandbox, "idle");
        terminal.type("/exit");
        await terminal.until(/^[>❯].\/exit/m);
        terminal.press("Enter");
        expect(await untilStatus(sandbox, ({ state }) => state === "done")).toMatchObject({ claude: null });
      },
    ),
  );

  test.skipIf(missing !== undefined)("a conversation no longer fits, and then a claude waits for a usage limit", () =>
    play(
      version,
      story().refusesConversationsOver({ tokens: 50 }).says("Never said."),
      async ({ sandbox, terminal, api }) => {
        run(terminal, `cclaude --detachable '${"A long prompt. ".repeat(40)}'`);
        await terminal.until(/too long|Context limit reached/i);
        await untilState(sandbox, "context-full");
        api.plays(story().fails.limit({ resetsInSeconds: 3_600, times: Infinity }));
        terminal.type("Once more");
        await terminal.until(/^[>❯].Once more/m);
        terminal.press("Enter");
        const { claude } = await untilState(sandbox, "limit");
        expect(Date.parse(claude?.until ?? "") - Date.now()).toBeWithin(3_300_000, 3_700_000);
        expect((await sandbox.run(["ai-runtime", "status"])).stdout).toMatch(/limit → .*\((59m|1h)/);
      },
    ),
  );
});

test("the terminal in which a program started counts as attached", async () => {
  const { sandbox, env } = await sandboxWithProgram("echo ready; read line");
  await using _ = sandbox;
  await using outer = new OuterTerminal(sandbox, ["cclaude"], env);
  await outer.until("ready");
  const { status } = await untilHost(sandbox, (record) => record.status?.state.kind === "idle");
  expect(status).toMatchObject({ terminals: 1, hangup: null });
  outer.type("\r");
  await outer.end();
});
