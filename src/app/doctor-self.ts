import type { Environment } from "./environment.ts";
import { broken, type Finding, good } from "./finding.ts";
import { selfTest } from "./self-test.ts";

/** The same as session-snapshot test, as one finding when all is well. */
export async function examineSelf(environment: Environment): Promise<Finding[]> {
  const name = "self-test";
  const checks = await selfTest(environment);
  const failed = checks.filter(({ problem }) => problem !== undefined);
  if (failed.length === 0) return [good(name, `${checks.length} checks: a snapshot was taken, restored and undone`)];
  return failed.map((check) => broken(name, `${check.name}: no; ${check.problem}`, "session-snapshot test"));
}
