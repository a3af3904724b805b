import { lowerPriority } from "../../io/process/lower-priority.ts";
import { currentEnvironment } from "../environment.ts";
import { logProblem } from "../program-log.ts";
import { maintain } from "./maintain.ts";
import { messageOf } from "../../core/message-of.ts";
import type { Variables } from "../../core/variables.ts";

/** The SessionEnd hook starts this in the background; `status` reports its errors. */
export function maintainInBackground(variables: Variables): void {
  const environment = currentEnvironment(variables);
  try {
    lowerPriority();
    maintain(environment);
  } catch (error) {
    logProblem(environment, `maintenance: ${messageOf(error)}`);
  }
}
