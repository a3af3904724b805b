import type { Environment } from "../environment.ts";
import { failed, type CheckResult, ok } from "./check-result.ts";
import { selfTest } from "./self-test.ts";

/** Runs the same checks as `session-snapshot test`; one result when they all pass. */
export async function checkSelf(environment: Environment): Promise<CheckResult[]> {
  const name = "self-test";
  const steps = await selfTest(environment);
  const problems = steps.filter(({ problem }) => problem !== undefined);
  if (problems.length === 0) return [ok(name, `${steps.length} checks: a snapshot was taken, restored and undone`)];
  return problems.map((step) => failed(name, `"${step.name}" failed: ${step.problem}`, "session-snapshot test"));
}
