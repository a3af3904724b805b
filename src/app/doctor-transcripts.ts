import { defaultCleanupDays, readCleanupDays } from "../claude/cleanup-period.ts";
import { projectsDirectory, settingsPath } from "../claude/paths.ts";
import { fileFacts, listDirectory } from "../io/read-file.ts";
import type { Environment } from "./environment.ts";
import { broken, doubtful, type Finding, good } from "./finding.ts";
import { readOrReport } from "./read-or-report.ts";
import type { Status } from "./status.ts";
import { standstillWarning, unsavedSessions } from "./unsaved-sessions.ts";

const day = 86_400_000;
const soon = 7 * day;

export function examineTranscripts(environment: Environment, status: Status): Finding[] {
  return [...examineCleanup(environment, status), ...examineCanary(environment, status)];
}

function examineCleanup(environment: Environment, { sessions }: Status): Finding[] {
  const name = "transcripts";
  const fix = "ai-runtime doctor --keep-transcripts 365";
  const days = readCleanupDays(readOrReport(settingsPath(environment.claudeConfig)).text) ?? defaultCleanupDays;
  if (days === 0) {
    return [broken(name, "cleanupPeriodDays is 0: Claude keeps no transcripts, nothing can be resumed", fix)];
  }
  const old = listTranscripts(environment).filter(({ modified }) => modified < environment.now() - days * day + soon);
  if (old.length === 0) return [good(name, `Claude keeps them for ${days} days, and none is about to go`)];
  const known = new Set(sessions.map(({ sessionId }) => sessionId));
  const bare = old.filter(({ sessionId }) => !known.has(sessionId)).length;
  const lost = bare === 0 ? "all have snapshots" : `${bare} of them without a snapshot`;
  return [doubtful(name, `Claude deletes them after ${days} days: ${old.length} go within a week, ${lost}`, fix)];
}

function listTranscripts({ claudeConfig }: Environment): { sessionId: string; modified: number }[] {
  const projects = projectsDirectory(claudeConfig);
  return listDirectory(projects).flatMap((project) =>
    listDirectory(`${projects}/${project}`).flatMap((file) => {
      const facts = file.endsWith(".jsonl") ? fileFacts(`${projects}/${project}/${file}`) : undefined;
      return facts ? [{ sessionId: file.slice(0, -".jsonl".length), modified: facts.modified }] : [];
    }),
  );
}

/** Tools ran and the transcript did not grow: whatever Claude does there is lost when it ends. */
function examineCanary(environment: Environment, { sessions }: Status): Finding[] {
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
  const fix = "env -u CLAUDE_CODE_CHILD_SESSION -u CLAUDECODE claude --continue";
  const findings = [...known, ...unknown].map((message) => broken(name, message, fix));
  return findings.length > 0 ? findings : [good(name, "every session that used tools was saved by Claude")];
}
