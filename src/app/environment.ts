import { claudeConfigDirectory } from "../claude/paths.ts";
import { absolutePath } from "../core/absolute-path.ts";
import { homeDirectory } from "../io/home-directory.ts";
import { SnapshotPaths, snapshotRoot } from "../store/snapshot-paths.ts";

/** What the programs need to know of the world they run in, found once. */
export interface Environment {
  variables: Record<string, string | undefined>;
  home: string;
  cwd: string;
  claudeConfig: string;
  paths: SnapshotPaths;
  now: () => number;
}

/** Set by cclaude for the claude that it starts: the directory in which the hooks tell it what they see. */
export const runVariable = "CCLAUDE_RUN";

/** Set by a host for the cclaude that it runs: where the host reads what those hooks tell. */
export const hostEventsVariable = "AI_RUNTIME_HOST_EVENTS";

export function currentEnvironment(variables: Record<string, string | undefined>): Environment {
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
