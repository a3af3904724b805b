import type { RunRecord } from "../../core/run/run-record.ts";
import { heldSession, HostRecords } from "../../store/hosts/host-records.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { bestEffort } from "../best-effort.ts";
import type { Environment } from "../environment.ts";
import { environmentOfRun } from "../run-records/register-run.ts";
import { findTranscript } from "../session/find-transcript.ts";
import { readTranscriptEnd } from "../session/transcript-end.ts";

/**
 * The tokens that continuing a run sends again: the prompt cache has expired since a reboot. Null when the conversation does not
 * say, as before its first answer and right after a compaction.
 */
export function contextTokensOf(outside: Environment, paths: RunPaths, record: RunRecord): number | null {
  const environment = environmentOfRun(outside, record);
  const read = (): number | null => {
    const host = record.plan.kind === "interactive" ? new HostRecords(paths.root).read(record.plan.id) : undefined;
    const sessionId = (host && heldSession(host)) ?? record.plan.sessionId;
    const path = sessionId === "" ? undefined : findTranscript(environment, sessionId);
    return path === undefined ? null : (readTranscriptEnd(environment, path, 0)?.contextTokens ?? null);
  };
  return bestEffort(outside, read, null);
}
