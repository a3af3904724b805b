import { versionText } from "../../../app/claude-version.ts";
import { type HookStatus, readStatus, type SessionSummary, type Status } from "../../../app/doctor/status.ts";
import { type BackfillState, isInterrupted } from "../../../app/backfill/backfill-state.ts";
import { formatBytes, formatDuration } from "../../format.ts";
import { localTimes } from "../../local-times.ts";
import { describeSubagent, jsonOfSubagent } from "../../messages/defect-report.ts";
import { oneLine } from "../../one-line.ts";
import type { Output } from "../../output.ts";
import { renderTable } from "../../table.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "shows whether the hooks are active, which claude is used, and the snapshots",
  args: commonArgs,
  examples: [
    ["session-snapshot status", "shows everything"],
    ["session-snapshot status --json", "prints the same for a script"],
  ],
  async run(_args, output, { environment }) {
    const status = await readStatus(environment);
    if (output.mode === "json") output.json(jsonOf(status));
    else output.data(render(status, output).join("\n"));
  },
});

function jsonOf({ now, hooks, claude, shimOnPath, sessions, backfill, disk, settings, problems }: Status): object {
  const installed = claude.installed;
  return {
    hooks,
    claude: {
      configDirectory: claude.configDirectory,
      path: installed?.path ?? null,
      version: installed?.version ? versionText(installed.version) : null,
    },
    shimOnPath,
    sessions: sessions.map(({ sessionId, lastMark, deadSubagents, ...rest }) => ({
      session: sessionId,
      ...rest,
      deadSubagents: deadSubagents.map(jsonOfSubagent),
      lastMark: lastMark === null ? null : new Date(lastMark).toISOString(),
      ageSeconds: lastMark === null ? null : Math.round((now - lastMark) / 1000),
    })),
    backfill: backfill && jsonOfBackfill(backfill),
    disk,
    settings,
    problems,
  };
}

function render(status: Status, output: Output): string[] {
  const { dim, green, yellow, bold } = output.colors;
  const { hooks, claude, sessions, disk, problems, now } = status;
  const good = (text: string, more = ""): string => `${green("✔")} ${oneLine(text)}${dim(more)}`;
  const bad = (text: string, more = ""): string => `${yellow("!")} ${oneLine(text)}${dim(more)}`;
  const version = claude.installed?.version ? ` ${versionText(claude.installed.version)}` : "";
  const lines = [
    (hooks.active ? good : bad)(`hooks    ${describeHooks(hooks)}`, hooks.active ? ` ${hooks.events.join(" ")}` : ""),
    claude.installed ? good(`claude   ${claude.installed.path}${version}`) : bad("claude   not found on PATH"),
    status.shimOnPath ? good(`cclaude  ${status.shimOnPath}`) : bad("cclaude  not on PATH"),
    disk.used === null
      ? bad("disk     cannot be read; see below")
      : good(`disk     ${formatBytes(disk.used)} of ${formatBytes(disk.max)}${ofFiles(disk.files)}`),
    ...describeBackfill(status.backfill, { good, bad }),
    ...problems.map((problem) => bad(localTimes(problem, now))),
    "",
  ];
  if (sessions.length === 0)
    return [...lines, disk.used === null ? "The snapshots cannot be read; see above." : "No snapshots yet."];
  const rows = sessions.map((session) => row(session, now));
  const [head = "", ...body] = renderTable(columns, rows, output.tableWidth);
  lines.push(dim(head), ...body);
  for (const session of sessions) {
    const told = [...session.warnings, ...describeDead(session)];
    if (told.length > 0)
      lines.push("", bold(yellow(session.sessionId)), ...told.map((text) => bad(localTimes(text, now))));
  }
  return lines;
}

const maxSubagentsShown = 3;

/** The newest; `verify` names all. */
function describeDead({ sessionId, deadSubagents }: SessionSummary): string[] {
  const left = deadSubagents.length - maxSubagentsShown;
  return [
    ...deadSubagents.slice(-maxSubagentsShown).map(describeSubagent),
    ...(left > 0 ? [`and ${left} more subagents: session-snapshot verify ${sessionId}`] : []),
  ];
}

function jsonOfBackfill({ startedAt, finishedAt, isRunning, ...counts }: BackfillState): object {
  const { sessions, done, bytes, doneBytes, failed, left } = counts;
  const finished = finishedAt === null ? null : new Date(finishedAt).toISOString();
  const started = new Date(startedAt).toISOString();
  return { running: isRunning, started, finished, sessions, done, bytes, doneBytes, failed, left };
}

/** Only while it matters: a backfill that saved everything is not worth a line. */
function describeBackfill(
  state: BackfillState | null,
  { good, bad }: { good: (text: string) => string; bad: (text: string) => string },
): string[] {
  if (!state) return [];
  const { sessions, done, doneBytes, bytes, left, failed, isRunning } = state;
  const progress = `${done} of ${sessions} conversations, ${formatBytes(doneBytes)} of ${formatBytes(bytes)}`;
  if (isRunning) return [good(`backfill ${progress} saved`)];
  if (isInterrupted(state))
    return [bad(`backfill interrupted after ${progress}; to continue: session-snapshot backfill`)];
  if (left > 0) return [bad(`backfill ${left} of ${sessions} conversations are not saved: the disk cap was reached`)];
  return failed > 0 ? [bad(`backfill ${failed} of ${sessions} conversations could not be saved; see below`)] : [];
}

const ofFiles = (bytes: number | null): string => (bytes ? `, ${formatBytes(bytes)} of it file marks` : "");

function describeHooks({ mode, path, readable, active, claudePlugin }: HookStatus): string {
  if (mode === "none" && !readable) return `unknown: ${path} cannot be read; see below`;
  if (mode === "none" && claudePlugin && active) return "provided by the Claude Code plugin ai-runtime";
  if (mode === "none") return `not installed in ${path}; run: session-snapshot install`;
  const place = mode === "plugin" ? `claude-hooks plugin ${path}` : `${active ? "active " : ""}in ${path}`;
  return active ? place : `${place}, but Claude does not run them; see below`;
}

const columns = [
  // The start of an id identifies a session.
  { title: "session", shrinksTo: 9 },
  { title: "title", shrinksTo: 12, leavesAs: 4, mayBeEmpty: true },
  { title: "project", shrinksTo: 8 },
  { title: "size", align: "right", leavesAs: 3 },
  { title: "marks", align: "right", leavesAs: 2 },
  { title: "age", align: "right" },
  { title: "context", align: "right", leavesAs: 1 },
] as const;

function row(session: SessionSummary, now: number): string[] {
  return [
    session.sessionId + (session.warnings.length + session.deadSubagents.length > 0 ? " !" : ""),
    session.title ?? "",
    session.project,
    formatBytes(session.size),
    String(session.marks),
    session.lastMark === null ? "-" : formatDuration(now - session.lastMark),
    session.contextPercent === null ? "?" : `${session.contextPercent}%`,
  ];
}
