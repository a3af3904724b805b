import { settingsPath } from "../../claude/paths.ts";
import { toolCallEvent } from "../../claude/hooks/hook-event.ts";
import { enablesOwnPlugin, listHookEvents } from "../../claude/hooks/installed-hooks.ts";
import type { Settings } from "../../core/settings.ts";
import { findExecutable } from "../../io/files/find-executable.ts";
import { fileFacts, fileSize } from "../../io/files/read-file.ts";
import { diskUse } from "../maintenance/disk-use.ts";
import { allMarks, type Generation, listSessionIds, viewSession } from "../../store/snapshots/session-view.ts";
import { ownBytes } from "../../store/trees/survey-trees.ts";
import { treesDirectory } from "../../store/trees/tree-paths.ts";
import { type BackfillState, readBackfillState } from "../backfill/backfill-state.ts";
import { type InstalledClaude, installedClaude } from "../claude-version.ts";
import type { Environment } from "../environment.ts";
import { type Denial, describeDenial, ReportReader } from "../explain-denied.ts";
import { recentProblems } from "../program-log.ts";
import { isOwnPlugin, pluginFile } from "../installed-hooks.ts";
import { maintenanceProblems } from "../maintenance/maintenance-problems.ts";
import { readOrReport } from "../read-or-report.ts";
import type { DeadSubagent } from "../../core/restart/dead-subagent.ts";
import { findDeadSubagents } from "../session/dead-subagents.ts";
import { type TranscriptLocator, transcriptLocator } from "../session/locate-transcript.ts";
import { titleOfSession } from "../session/session-title.ts";
import { loadSettings } from "../settings.ts";
import { settingsWarnings } from "../install/settings-warnings.ts";
import { windowOfSession } from "../snapshot/session-window.ts";
import { standstillWarning, unsavedSessions } from "../snapshot/unsaved-sessions.ts";

export interface SessionSummary {
  sessionId: string;
  /** Claude's title, else the first prompt; null when it has neither. */
  title: string | null;
  project: string;
  transcriptPath: string;
  /** Null when Claude's transcript is missing; a restore brings it back. */
  transcriptSize: number | null;
  size: number;
  marks: number;
  generations: number;
  lastMark: number | null;
  contextTokens: number | null;
  contextPercent: number | null;
  /** Subagents that died in the last week. */
  deadSubagents: DeadSubagent[];
  /** Sentences for the user about this session. */
  warnings: string[];
}

export interface HookStatus {
  mode: "settings" | "plugin" | "none";
  path: string;
  events: string[];
  /** Claude's settings enable our Claude Code plugin, which has the same hooks. */
  claudePlugin: boolean;
  /** False when Claude's settings cannot be read: then it is not known whether hooks are installed. */
  readable: boolean;
  /** False when no hooks are installed, or when a problem keeps Claude from running them. */
  active: boolean;
}

export interface Status {
  now: number;
  hooks: HookStatus;
  claude: { configDirectory: string; installed: InstalledClaude | undefined };
  /** The path of `cclaude` on PATH; null when it is not there. */
  shimOnPath: string | null;
  sessions: SessionSummary[];
  /** The last backfill; null when there was none. */
  backfill: BackfillState | null;
  /** `used` is null when it cannot be read; `files` is the part of the file marks. */
  disk: { used: number | null; max: number; files: number | null };
  settings: Pick<Settings, "minSize" | "interval" | "maxDisk" | "coldAfterDays">;
  problems: string[];
  /** The part of `problems` about hooks. */
  hookProblems: string[];
  /** The permissions that keep us from reading Claude's settings. */
  hookDenial: Denial | undefined;
  /** The part of `problems` about our own settings. */
  settingProblems: readonly string[];
  /** The part of `problems` that maintenance and hooks logged. */
  loggedProblems: string[];
}

export async function readStatus(environment: Environment): Promise<Status> {
  const { paths, variables, now, claudeConfig } = environment;
  const { settings, problems: settingProblems } = loadSettings(environment);
  const { minSize, interval, maxDisk, coldAfterDays } = settings;
  const reader = new ReportReader();
  const { hooks, problems: hookProblems, denial: hookDenial } = readHooks(environment, reader);
  const ids = reader.read(() => listSessionIds(paths), []);
  const locate = transcriptLocator(environment);
  const sessions = ids.map((id) => readSession(environment, id, locate, reader));
  sessions.sort((a, b) => (b.lastMark ?? 0) - (a.lastMark ?? 0));
  const maintenance = reader.read(() => maintenanceProblems(environment), []);
  const logged = reader.read(() => recentProblems(environment), []);
  const unsaved = reader.read(() => unsavedSessions(environment, ids), []);
  const used = reader.read(() => diskUse(paths.root), null);
  const denied = reader.problems;
  return {
    now: now(),
    hooks,
    claude: { configDirectory: claudeConfig, installed: await installedClaude(variables) },
    shimOnPath: findExecutable(["cclaude", "cclaude.exe", "cclaude.cmd"], variables["PATH"] ?? "", "") ?? null,
    sessions,
    backfill: reader.read(() => readBackfillState(environment) ?? null, null),
    disk: { used, max: maxDisk, files: reader.read(() => ownBytes(treesDirectory(paths)), null) },
    settings: { minSize, interval, maxDisk, coldAfterDays },
    problems: [...denied, ...settingProblems, ...hookProblems, ...maintenance, ...unsaved, ...logged],
    hookProblems,
    hookDenial,
    settingProblems,
    loggedProblems: [...maintenance, ...logged],
  };
}

interface ReadHooks {
  hooks: HookStatus;
  problems: string[];
  denial: Denial | undefined;
}

function readHooks(environment: Environment, reader: ReportReader): ReadHooks {
  const path = settingsPath(environment.claudeConfig);
  const { text, problem, denial } = readOrReport(path);
  const readable = problem === undefined;
  const obstacles = readable ? settingsWarnings({ path, text }) : [denial ? describeDenial(denial) : problem];
  // The hooks of `ai-runtime install` also take snapshots.
  const programs = ["session-snapshot", "ai-runtime"] as const;
  const events = [...new Set(programs.flatMap((program) => listHookEvents(text, program)))];
  const plugin = reader.read(() => pluginFile(environment), undefined);
  const claudePlugin = enablesOwnPlugin(text);
  const found: Pick<HookStatus, "mode" | "path" | "events"> =
    plugin && isOwnPlugin(plugin)
      ? { mode: "plugin", path: plugin, events: [toolCallEvent] }
      : { mode: events.length > 0 ? "settings" : "none", path, events };
  const duplicates =
    found.mode === "plugin" && events.length > 0
      ? [`our hooks are installed twice, as ${plugin} and in ${path}; session-snapshot install fixes that`]
      : [];
  return {
    hooks: {
      ...found,
      claudePlugin,
      readable,
      active: (found.mode !== "none" || claudePlugin) && obstacles.length === 0,
    },
    problems: [...obstacles, ...duplicates],
    denial,
  };
}

function readSession(
  environment: Environment,
  sessionId: string,
  locate: TranscriptLocator,
  reader: ReportReader,
): SessionSummary {
  try {
    return summarizeSession(environment, sessionId, locate);
  } catch (error) {
    return unreadable(environment, sessionId, describeDenial(reader.note(error)));
  }
}

const weekMs = 7 * 86_400_000;

function summarizeSession(environment: Environment, sessionId: string, locate: TranscriptLocator): SessionSummary {
  const { paths } = environment;
  const view = viewSession(paths, sessionId);
  if (!view) {
    const warning = "its state file cannot be read; the copy is kept, and the next snapshot starts a new generation";
    return unreadable(environment, sessionId, warning);
  }
  // The current generation is empty when the undo of a restore removed the transcript, so the newest with marks counts.
  const present = view.generations.findLast(({ marks }) => marks.length > 0);
  const last = present?.marks.at(-1);
  const tokens = last?.contextTokens ?? null;
  const window = windowOfSession(environment, view);
  const transcriptPath = locate(sessionId, view.transcriptPath) ?? view.transcriptPath;
  const transcriptSize = fileSize(transcriptPath) ?? null;
  return {
    sessionId,
    title: titleOfSession(transcriptPath, view) ?? null,
    project: view.cwd ?? projectOf(transcriptPath),
    transcriptPath,
    transcriptSize,
    size: present?.size ?? 0,
    marks: allMarks(view).filter(({ open }) => !open).length,
    generations: view.generations.length,
    lastMark: last?.time ?? null,
    contextTokens: tokens,
    contextPercent: tokens === null ? null : Math.round((tokens / window) * 100),
    deadSubagents: findDeadSubagents(environment, sessionId, transcriptPath, { since: environment.now() - weekMs }),
    warnings: [
      ...view.generations.flatMap((generation) => generationWarning(generation)),
      ...(transcriptSize === null
        ? [`its transcript is missing; session-snapshot restore ${sessionId} brings it back`]
        : [
            ...shorterWarning(view.generations.at(-1)?.size ?? 0, transcriptSize, sessionId),
            ...standstillWarning(environment, sessionId, transcriptSize),
          ]),
    ],
  };
}

/** Reported here because the session may have no further hook that notices it. */
function shorterWarning(size: number, transcriptSize: number, sessionId: string): string[] {
  if (transcriptSize >= size) return [];
  const lost = `its transcript has ${transcriptSize} bytes, its snapshot ${size}`;
  return [`${lost}; session-snapshot verify ${sessionId} shows what is missing`];
}

function generationWarning({ number, size, ended, marks, unreadable, mirrorPath }: Generation): string[] {
  if (unreadable) return [`the record of generation ${number} cannot be read; its bytes may be in ${mirrorPath}`];
  if (!ended || ended.why === "restored") return [];
  const what = {
    shrunk: "the transcript became shorter",
    moved: "the transcript moved to another place",
    rewritten: "the transcript was overwritten",
    damaged: "our copy of the transcript was damaged",
    "unreadable-state": "our record of the transcript could not be read",
    diverged: "the conversation was continued on another machine of the hub, and that continuation was fetched",
  }[ended.why];
  const last = marks.at(-1);
  const kept = last ? `; generation ${number} keeps the ${size} bytes before that: restore --to ${last.n}` : "";
  return [`${what} at ${new Date(ended.at).toISOString()}${kept}`];
}

function unreadable({ paths }: Environment, sessionId: string, warning: string): SessionSummary {
  return {
    sessionId,
    title: null,
    project: "?",
    transcriptPath: "",
    transcriptSize: null,
    size: fileSize(paths.mirror(sessionId)) ?? 0,
    marks: 0,
    generations: 1,
    lastMark: fileFacts(paths.state(sessionId))?.modified ?? null,
    contextTokens: null,
    contextPercent: null,
    deadSubagents: [],
    warnings: [warning],
  };
}

// Used when no hook reported the working directory: Claude's name for the project directory.
const projectOf = (transcriptPath: string): string => transcriptPath.split(/[\\/]/).at(-2) ?? "?";
