import { checkAtLogin } from "./check-at-login.ts";
import { checkClaude } from "./check-claude.ts";
import { checkFiles } from "./check-files.ts";
import { checkHooks } from "./check-hooks.ts";
import { checkLeftovers } from "./check-leftovers.ts";
import { checkNotifications } from "./check-notifications.ts";
import { checkMoved } from "./check-moved.ts";
import { checkPath } from "./check-path.ts";
import { checkPlaces } from "./check-places.ts";
import { checkSelf } from "./check-self.ts";
import { checkTranscripts } from "./check-transcripts.ts";
import type { Environment } from "../environment.ts";
import { explainDenied } from "../explain-denied.ts";
import { failed, type CheckResult } from "./check-result.ts";
import { readStatus } from "./status.ts";
import { messageOf } from "../../core/message-of.ts";

/** Checks everything that ai-runtime needs on this machine. Does not change the user's files. */
export async function runChecks(environment: Environment): Promise<CheckResult[]> {
  const status = await readStatus(environment);
  const parts: [name: string, part: () => Promise<CheckResult[]> | CheckResult[]][] = [
    ["claude", () => checkClaude(status)],
    ["hooks", () => checkHooks(environment, status)],
    ["PATH", () => checkPath(environment)],
    // Before the self-test, which creates our directory and corrects its mode.
    ["places", () => checkPlaces(environment)],
    ["self-test", () => checkSelf(environment)],
    ["files", () => checkFiles(environment)],
    ["transcripts", () => checkTranscripts(environment, status)],
    ["notifications", () => checkNotifications(environment)],
    ["at-login", () => checkAtLogin(environment)],
    ["project", () => checkMoved(environment)],
    ["leftovers", () => checkLeftovers(environment, status)],
  ];
  const results: CheckResult[] = [];
  for (const [name, part] of parts) results.push(...(await completed(name, part)));
  return results;
}

/** A check that throws is a failed result, so the other checks still run. */
async function completed(name: string, part: () => Promise<CheckResult[]> | CheckResult[]): Promise<CheckResult[]> {
  try {
    return await part();
  } catch (error) {
    const denial = explainDenied(error);
    return [failed(name, denial?.message ?? messageOf(error), denial?.fix ?? null)];
  }
}
