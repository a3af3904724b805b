import { claudeConfigDirectory } from "../claude/paths.ts";
import { absolutePath } from "../core/absolute-path.ts";
import { homeDirectory } from "../io/files/home-directory.ts";
import { SnapshotPaths, snapshotRoot } from "../store/snapshots/snapshot-paths.ts";
import type { Variables } from "../core/variables.ts";

/** What the programs need to know about the machine and the user, read once at startup. */
export interface Environment {
  variables: Variables;
  home: string;
  cwd: string;
  claudeConfig: string;
  paths: SnapshotPaths;
  now: () => number;
}

/** Set by cclaude for the claude that it starts: the directory where the hooks write events for cclaude. */
export const runVariable = "CCLAUDE_RUN";

/** Set by a host for the cclaude that it runs: the id of the host. Claude does not get it, so that it starts as without a host. */
export const hostVariable = "AI_RUNTIME_HOST";

/** Set by a host for the cclaude that it runs: the directory where the host reads those events. */
export const hostEventsVariable = "AI_RUNTIME_HOST_EVENTS";

/** Set by a host for the cclaude that it runs: the settings of the client's terminal, in base64. */
export const hostTerminalVariable = "AI_RUNTIME_HOST_TERMINAL";

/** Set by a host for the cclaude that it runs: what appears when claude may start; see io/process/start-gate.ts. */
export const hostGateVariable = "AI_RUNTIME_HOST_GATE";

/** Set by a run for its claude, which may be a cclaude: the id of the run. */
export const runIdVariable = "AI_RUNTIME_RUN";

/** Set for a claude whose prompt already names the tool calls that its conversation lacks: the id of its session. */
export const toldVariable = "AI_RUNTIME_TOLD";

export function currentEnvironment(variables: Variables): Environment {
  const home = homeDirectory(variables);
  const cwd = process.cwd();
  return {
    variables,
    home,
    cwd,
    claudeConfig: absolutePath(claudeConfigDirectory(variables, home), cwd),
    paths: new SnapshotPaths(snapshotRoot(variables, home)),
    now: Date.now,
  };
}
