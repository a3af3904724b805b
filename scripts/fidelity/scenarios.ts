// What the recovery board plays with each version of Claude Code, and since which version the client can do its part.
import { isAtLeast, parseClaudeVersion } from "../../src/claude/versions.ts";

interface Scenario {
  readonly meaning: string;
  /** The first version that can do it, and what older ones lack. */
  readonly since?: { readonly version: string; readonly reason: string };
}

export const scenarios = {
  limit: { meaning: "a run waits for a 5-hour limit and finishes, with each step done once" },
  weekly: { meaning: "a run waits for a weekly limit and finishes" },
  "own wait": {
    meaning: "claude itself waits for the limit inside one process, and the run shows the wait",
    since: { version: "2.1.152", reason: "the client has no retry watchdog; the run waits instead" },
  },
  crash: { meaning: "a run resumes a claude that was killed during a tool call, and repeats no step" },
  overload: { meaning: "cclaude restores the newest point that fits and tells Claude what came after it" },
  background: {
    meaning: "a run is not done while a background command of Claude is running",
    since: { version: "2.1.45", reason: "the client does not report its background commands" },
  },
  subagent: { meaning: "a killed subagent is named, and the recovered run continues from its findings" },
  hooks: { meaning: "`session-snapshot install` writes hooks that the client accepts, and they take snapshots" },
  states: { meaning: "`status --json` shows asking, working, idle and limit of a claude in the terminal" },
  "typed resume": {
    meaning: "in the terminal, the host types one message after the limit has reset, and claude continues",
  },
  resume: { meaning: "`ai-runtime resume` finishes a paused run, with its whole conversation" },
  repair: { meaning: "`session-snapshot repair` brings back every word of a damaged transcript" },
  surfacing: { meaning: "a new session shows the line of the last checkpoint, and the model receives its content" },
} as const satisfies Readonly<Record<string, Scenario>>;

export type ScenarioName = keyof typeof scenarios;
export const scenarioNames = Object.keys(scenarios) as ScenarioName[];

/** The first version that can play the scenario, when not all can. */
export const sinceOf = (name: ScenarioName): Scenario["since"] =>
  (scenarios[name] satisfies Scenario as Scenario).since;

/** Why this version cannot play the scenario; undefined when it can. */
export function lackOf(version: string, name: ScenarioName): string | undefined {
  const since = sinceOf(name);
  return since === undefined || isAtLeast(parseClaudeVersion(version), since.version) ? undefined : since.reason;
}
