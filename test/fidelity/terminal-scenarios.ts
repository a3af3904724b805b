// The scenarios of the recovery board in Claude's terminal interface.
import { expect } from "bun:test";
import { type FakeAnthropic, fakeAnthropic } from "../support/anthropic/fake-anthropic.ts";
import { type Story, story } from "../support/anthropic/scenario.ts";
import { installedSandbox } from "../support/sandbox/installed-sandbox.ts";
import type { Sandbox } from "../support/sandbox/sandbox.ts";
import { enterPrompt, goOn, openTerminal, run, waitForFile } from "../support/terminal/host-world.ts";
import type { Tmux } from "../support/terminal/tmux.ts";
import { until } from "../support/until.ts";

interface Scene {
  readonly sandbox: Sandbox;
  readonly terminal: Tmux;
  readonly api: FakeAnthropic;
}

async function play(version: string, plot: Story, act: (scene: Scene) => Promise<void>): Promise<void> {
  await using api = await fakeAnthropic(plot);
  await using sandbox = await installedSandbox(version);
  await sandbox.trustProject();
  const env = { ...sandbox.claudeEnv(api), AI_RUNTIME_CONTINUE_AFTER_SECONDS: "1" };
  await using terminal = await openTerminal(sandbox, env);
  await act({ sandbox, terminal, api });
}

interface StatusOfClaude {
  readonly claude: { readonly state: string; readonly about: string | null; readonly until: string | null } | null;
}

/** Waits until `status --json` reports this state of the only run. */
async function untilState(sandbox: Sandbox, state: string, about?: string): Promise<StatusOfClaude> {
  let last: StatusOfClaude | undefined;
  const look = async (): Promise<StatusOfClaude | false> => {
    const { stdout } = await sandbox.run(["ai-runtime", "status", "--json"]);
    [last] = (JSON.parse(stdout) as { runs: StatusOfClaude[] }).runs;
    const isExpected = last?.claude?.state === state && (about === undefined || last.claude.about === about);
    return isExpected && last !== undefined && last;
  };
  return until(look, () => `"${state}" in status: ${JSON.stringify(last)}`, 60_000);
}

const playStates = (version: string): Promise<void> =>
  play(version, story().callsTool("Bash", waitForFile).says("All done."), async ({ sandbox, terminal, api }) => {
    run(terminal, "cclaude --detachable 'Wait for it' --permission-mode default");
    await terminal.until(/Do you want to proceed\?/);
    await untilState(sandbox, "asking", "permission");
    terminal.press("Enter");
    await untilState(sandbox, "working");
    await goOn(sandbox);
    await terminal.until(/All done\./);
    await untilState(sandbox, "idle");
    api.plays(story().fails.limit({ resetsInSeconds: 3_600, times: Infinity }));
    await enterPrompt(terminal, "Once more");
    const { claude } = await untilState(sandbox, "limit");
    expect(Date.parse(claude?.until ?? "") - Date.now()).toBeWithin(3_300_000, 3_700_000);
  });

const continuation = "The usage limit has reset. Continue the task";

const playTypedResume = (version: string): Promise<void> =>
  play(version, story().fails.limit({ resetsInSeconds: 4 }).says("Went on."), async ({ terminal, api }) => {
    run(terminal, "cclaude 'Do a lot'");
    await terminal.until(/Went on\./);
    expect(api.mainRequests.at(-1)?.conversationText.split(continuation)).toHaveLength(2);
  });

const playSurfacing = (version: string): Promise<void> =>
  play(version, story().says("Nearly there."), async ({ sandbox, terminal, api }) => {
    expect(await sandbox.run(["ai-runtime", "install"])).toMatchObject({ exitCode: 0 });
    const fields = ["--goal", "Ship the cart.", "--next", "run npm test"];
    await sandbox.run(["ai-runtime", "checkpoint", "save", ...fields]);
    run(terminal, "claude");
    // The terminal may break the line anywhere.
    await terminal.until((shown) =>
      shown.replaceAll(/\s+/g, " ").includes('Last time we were doing "Ship the cart", next was run npm test'),
    );
    await enterPrompt(terminal, "please continue");
    await terminal.until(/Nearly there/);
    expect((await api.request(1)).conversationText).toContain("goal: Ship the cart.");
  });

export const playTerminal = {
  states: playStates,
  "typed resume": playTypedResume,
  surfacing: playSurfacing,
} as const;
