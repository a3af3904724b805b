import type { Environment } from "./environment.ts";
import { logProblem } from "./program-log.ts";
import { messageOf } from "../core/message-of.ts";

/** Runs optional work: an error goes to the log and never keeps claude from running. */
export function bestEffort<T>(environment: Environment, work: () => T, fallback: T): T {
  try {
    return work();
  } catch (error) {
    logProblem(environment, messageOf(error));
    return fallback;
  }
}
