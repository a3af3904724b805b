import { lowerPriority } from "../io/lower-priority.ts";
import { currentEnvironment } from "./environment.ts";
import { logProblem } from "./hook-log.ts";
import { maintain } from "./maintain.ts";

/** What the SessionEnd hook starts. Nobody sees it: what goes wrong is told by `status`. */
export function maintainInBackground(variables: Record<string, string | undefined>): void {
  const environment = currentEnvironment(variables);
  try {
    lowerPriority();
    maintain(environment);
  } catch (error) {
    logProblem(environment, `maintenance: ${error instanceof Error ? error.message : String(error)}`);
  }
}
