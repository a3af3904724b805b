import { continueOutsideClaude } from "../../claude/environment.ts";
import { defaultCleanupDays, readCleanupDays } from "../../claude/settings/cleanup-period.ts";
import { settingsPath } from "../../claude/paths.ts";
import { fileFacts } from "../../io/files/read-file.ts";
import type { Environment } from "../environment.ts";
import { failed, warning, type CheckResult, ok } from "./check-result.ts";
import { readOrReport } from "../read-or-report.ts";
import { listTranscripts } from "../session/find-transcript.ts";
import type { Status } from "./status.ts";
import { standstillWarning, unsavedSessions } from "../snapshot/unsaved-sessions.ts";

const dayMs = 86_400_000;
const warnBeforeMs = 7 * dayMs;

export function checkTranscripts(environment: Environment, status: Status): CheckResult[] {
  return [...checkCleanup(environment, status), ...checkCanary(environment, status)];
}

function checkCleanup(environment: Environment, { sessions }: Status): CheckResult[] {
  const name = "transcripts";
  const fix = "ai-runtime doctor --keep-transcripts 365";
  const days = readCleanupDays(readOrReport(settingsPath(environment.claudeConfig)).text) ?? defaultCleanupDays;
  if (days === 0) {
    return [failed(name, "cleanupPeriodDays is 0: Claude keeps no transcripts, so nothing can be resumed", fix)];
  }
  const old = datedTranscripts(environment).filter(
    ({ modified }) => modified < environment.now() - days * dayMs + warnBeforeMs,
  );
  if (old.length === 0) return [ok(name, `Claude keeps transcripts for ${days} days; none expires within a week`)];
  const known = new Set(sessions.map(({ sessionId }) => sessionId));
  const unsaved = old.filter(({ sessionId }) => !known.has(sessionId)).length;
  const coverage = unsaved === 0 ? "all have snapshots" : `${unsaved} without a snapshot`;
  const message = `Claude deletes transcripts after ${days} days: ${old.length} expire within a week, ${coverage}`;
  return [warning(name, message, fix)];
}

function datedTranscripts(environment: Environment): { sessionId: string; modified: number }[] {
  return [...listTranscripts(environment)].flatMap(([sessionId, path]) => {
    const facts = fileFacts(path);
    return facts ? [{ sessionId, modified: facts.modified }] : [];
  });
}

/** Tools ran but the transcript did not grow: Claude does not save that session, so its work is lost when it ends. */
function checkCanary(environment: Environment, { sessions }: Status): CheckResult[] {
  const name = "canary";
  const known = sessions.flatMap(({ sessionId, transcriptSize }) =>
    transcriptSize === null
      ? []
      : standstillWarning(environment, sessionId, transcriptSize).map((text) => `session ${sessionId}: ${text}`),
  );
  const unknown = unsavedSessions(
    environment,
    sessions.map(({ sessionId }) => sessionId),
  );
  const results = [...known, ...unknown].map((message) => failed(name, message, continueOutsideClaude));
  return results.length > 0 ? results : [ok(name, "Claude saved every session that used tools")];
}
