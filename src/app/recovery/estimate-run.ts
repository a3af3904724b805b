import type { RunRecord } from "../../core/run/run-record.ts";
import { heldSession, HostRecords } from "../../store/hosts/host-records.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { bestEffort } from "../best-effort.ts";
import { estimateCold } from "../cost/cold-resume.ts";
import type { Environment } from "../environment.ts";
import { environmentOfRun } from "../run-records/register-run.ts";
import { findTranscript } from "../session/find-transcript.ts";

/**
 * The tokens that continuing a run sends again. Null while its prompt cache is warm, and when the conversation does not say, as
 * before its first answer and right after a compaction.
 */
export function coldTokensOf(outside: Environment, paths: RunPaths, record: RunRecord): number | null {
  const environment = environmentOfRun(outside, record);
  const read = (): number | null => {
    const host = record.plan.kind === "interactive" ? new HostRecords(paths.root).read(record.plan.id) : undefined;
    const sessionId = (host && heldSession(host)) ?? record.plan.sessionId;
    const path = sessionId === "" ? undefined : findTranscript(environment, sessionId);
    return path === undefined ? null : (estimateCold(environment, path)?.tokens ?? null);
  };
  return bestEffort(outside, read, null);
}
