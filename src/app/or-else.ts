import type { Environment } from "./environment.ts";
import { logProblem } from "./hook-log.ts";

/** For what is good to have: no trouble of ours keeps claude from running. It is noted in the log. */
export function orElse<T>(environment: Environment, work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    logProblem(environment, error instanceof Error ? error.message : String(error));
    return otherwise;
  }
}
