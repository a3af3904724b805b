import type { RunPlan } from "../../core/run/run-record.ts";
import { isDirectory } from "../../io/files/read-file.ts";
import { runDirectory } from "../../store/runs/run-paths.ts";
import type { Environment } from "../environment.ts";
import { rehomeCommand } from "../session/find-moved.ts";

/** What helps when the directory of a run is gone; undefined while it exists. A moved project has taken the run's records along. */
export function adviseMoved({ cwd }: Environment, { id, cwd: from }: RunPlan): string | undefined {
  if (isDirectory(from)) return undefined;
  return isDirectory(runDirectory(cwd, id))
    ? `The project is in ${cwd} now. Bring the run there with: ${rehomeCommand({ from, to: cwd })}`
    : `If the project was moved: ${rehomeCommand({ from, to: "NEW" })}, with its new directory as NEW`;
}
