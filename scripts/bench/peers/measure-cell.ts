import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { killableClaude } from "../../../test/support/runs/cclaude.ts";
import { knowVersion, resetOf } from "../../../test/support/runs/native-retry.ts";
import type { ClaudeVersion } from "../../../test/support/sandbox/claude-versions.ts";
import { leftoverProcesses } from "../../../test/support/sandbox/leftover-processes.ts";
import { createSandbox, type Sandbox } from "../../../test/support/sandbox/sandbox.ts";
import { fakeAnthropic, type FakeAnthropic } from "../../../test/support/anthropic/fake-anthropic.ts";
import { until } from "../../../test/support/until.ts";
import { Tmux } from "../../../test/support/terminal/tmux.ts";
import type { Scenario } from "./scenarios.ts";
import { SteppingModel, steps } from "./stepping-model.ts";
import type { Way } from "./ways.ts";

export interface Cell {
  readonly client: ClaudeVersion;
  readonly scenario: string;
  readonly way: string;
  readonly finished: boolean;
  readonly eachStepOnce: boolean;
  /** From the reset, the last refusal or the fault to the next request; undefined when none came. */
  readonly seconds: number | undefined;
}

/** The first step is done well within this time. */
const startTimeoutMs = 60_000;
const terminalSize = { columns: 100, rows: 30 };
const flags = {
  terminal: "--permission-mode acceptEdits --allowedTools Bash",
  print: "--dangerously-skip-permissions",
};

/** Plays one scenario with one way to run one client, and waits `patienceMs` after the reset or fault for the end of the task. */
export async function measureCell(
  client: ClaudeVersion,
  scenario: Scenario,
  way: Way,
  { executable, patienceMs }: { readonly executable: string; readonly patienceMs: number },
): Promise<Cell> {
  const model = new SteppingModel(scenario, client);
  await using api = await fakeAnthropic(model.story);
  await using sandbox = await createSandbox({ claude: client });
  await sandbox.installBinaries(executable);
  await sandbox.trustProject();
  const claude = killableClaude(sandbox);
  // As on a machine where this claude was used before.
  knowVersion(sandbox, client, claude.path);
  const { AI_RUNTIME_NATIVE_RETRY: _, ...variables } = sandbox.claudeEnv(api);
  const env = { ...variables, CCLAUDE_CLAUDE_BIN: claude.path, ...way.env };
  await using terminal = new Tmux(sandbox, env, terminalSize);
  await terminal.until(/READY>/);
  const task = `'Do three steps' ${way.isTerminal ? flags.terminal : flags.print}`;
  terminal.type(way.command.replace("CLAUDE", claude.path).replace("TASK", task));
  terminal.press("Enter");
  const failed = Promise.withResolvers<"too late">();
  const timer = setTimeout(() => failed.resolve("too late"), startTimeoutMs);
  const first = await Promise.race([model.firstStepDone, failed.promise]).finally(() => clearTimeout(timer));
  const faultAt =
    first === "too late" ? Date.now() : await breakIt(scenario, way, { sandbox, api, terminal, claude, env });
  const since = (): number => startOf(scenario, api, faultAt);
  const deadline = Promise.withResolvers<void>();
  const giveUp = setTimeout(() => deadline.resolve(), Math.max(0, since() - Date.now()) + patienceMs);
  const finished = await Promise.race([model.finished.then(() => true), deadline.promise.then(() => false)]);
  clearTimeout(giveUp);
  const next = api.mainRequests.find(({ time, answer }) => time > since() && answer?.kind === "message");
  const done = stepsIn(sandbox);
  return {
    client,
    scenario: scenario.name,
    way: way.name,
    finished,
    eachStepOnce: new Set(done).size === done.length && (!finished || done.length === steps.length),
    seconds: next && (next.time - since()) / 1_000,
  };
}

interface World {
  readonly sandbox: Sandbox;
  readonly api: FakeAnthropic;
  readonly terminal: Tmux;
  readonly claude: ReturnType<typeof killableClaude>;
  readonly env: Readonly<Record<string, string>>;
}

/** Returns when the fault happened, in milliseconds since 1970. */
async function breakIt({ fault, faultAfterMs = 0 }: Scenario, { isOurs }: Way, world: World): Promise<number> {
  const { sandbox, terminal, claude, env } = world;
  const recover = (): void => {
    if (isOurs) sandbox.spawn(["ai-runtime", "recover", "--all"], { env });
  };
  await Bun.sleep(faultAfterMs);
  switch (fault) {
    case undefined:
      break;
    case "kill-claude":
      claude.kill();
      break;
    case "kill-all":
      for (const pid of ours(sandbox)) killQuietly(pid);
      // On a busy machine a killed process takes a moment to end, and recover leaves what still runs alone.
      await until(() => ours(sandbox).length === 0, "the killed processes to end");
      recover();
      break;
    case "close-terminal":
      await terminal.until(/limit/i);
      terminal.kill();
      recover();
      break;
  }
  return Date.now();
}

const ours = ({ root }: Sandbox): number[] => leftoverProcesses(root).filter((pid) => !belongsToTerminal(pid));

/** The terminal and its shell stay: they are the benchmark's own. */
function belongsToTerminal(pid: number): boolean {
  try {
    return /^(tmux|bash|cat)/.test(readFileSync(`/proc/${pid}/comm`, "utf8"));
  } catch {
    return true;
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

function startOf({ since }: Scenario, api: FakeAnthropic, faultAt: number): number {
  if (since === "reset") return resetOf(api);
  if (since === "fault") return faultAt;
  return api.mainRequests.findLast(({ answer }) => answer?.kind === "failure")?.time ?? faultAt;
}

function stepsIn({ projectDir }: Sandbox): string[] {
  const path = join(projectDir, "steps.txt");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
}
