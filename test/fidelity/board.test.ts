// The recovery board: one story for each way in which work is saved, with the real client. `bun run fidelity` plays it with any version
// of Claude Code; without FIDELITY_VERSIONS it runs with the newest pinned one.
import { describe, test } from "bun:test";
import { lackOf, type ScenarioName, scenarioNames } from "../../scripts/fidelity/scenarios.ts";
import { newestClaude } from "../support/sandbox/claude-versions.ts";
import { tmuxMissing } from "../support/terminal/tmux.ts";
import { playHeadless } from "./headless-scenarios.ts";
import { playSessions } from "./session-scenarios.ts";
import { playTerminal } from "./terminal-scenarios.ts";

const versions = process.env["FIDELITY_VERSIONS"]?.split(",") ?? [newestClaude];
const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);

const players: Readonly<Record<ScenarioName, (version: string) => Promise<void>>> = {
  ...playHeadless,
  ...playSessions,
  ...playTerminal,
};

describe.each(versions)("Claude Code %s", (version) => {
  for (const name of scenarioNames.filter((each) => lackOf(version, each) === undefined)) {
    test.skipIf(name in playTerminal && missing !== undefined)(name, () => players[name](version));
  }
});
