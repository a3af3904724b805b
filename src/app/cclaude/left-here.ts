import { RunPaths, runRoot } from "../../store/runs/run-paths.ts";
import { isHeld, listActiveIds, readIfWhole } from "../../store/runs/run-registry.ts";
import { bestEffort } from "../best-effort.ts";
import { currentEnvironment } from "../environment.ts";
import type { Variables } from "../../core/variables.ts";

/** Whether a record of this directory has lost its process. Quick, because every start in a terminal calls it. */
export function hasLeftRecords(variables: Variables): boolean {
  const environment = currentEnvironment(variables);
  const paths = new RunPaths(runRoot(variables, environment.home));
  const isLeft = (id: string): boolean => {
    const record = readIfWhole(paths, id);
    return record?.plan.cwd === environment.cwd && !isHeld(record);
  };
  return bestEffort(environment, () => listActiveIds(paths).some(isLeft), false);
}
