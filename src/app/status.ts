import { settingsPath } from "../claude/paths.ts";
import { listHookEvents } from "../claude/installed-hooks.ts";
import { readCheckpointSettings } from "../core/checkpoint-settings.ts";
import { readHostSettings } from "../core/host-settings.ts";
import { contextWindow } from "../core/context-window.ts";
import { readSettings, type SnapshotSettings } from "../core/snapshot-settings.ts";
import { unknownSettings } from "../core/unknown-settings.ts";
import { findExecutable } from "../io/find-executable.ts";
import { fileFacts, fileSize, listFiles } from "../io/read-file.ts";
import { allMarks, type Generation, listSessionIds, viewSession } from "../store/session-view.ts";
import { type InstalledClaude, installedClaude } from "./claude-version.ts";
import type { Environment } from "./environment.ts";
import { recentProblems } from "./hook-log.ts";
import { isOwnPlugin, pluginFile } from "./hook-plugin.ts";
import { maintenanceProblems } from "./maintenance-problems.ts";
import { readOrReport } from "./read-or-report.ts";
import { settingsWarnings } from "./settings-warnings.ts";
import { standstillWarning, unsavedSessions } from "./unsaved-sessions.ts";

export interface SessionSummary {
  sessionId: string;
  project: string;
  transcriptPath: string;
  /** Null when Claude's own file is gone; the snapshot can bring it back. */
  transcriptSize: number | null;
  size: number;
  marks: number;
  generations: number;
  lastMark: number | null;
  contextTokens: number | null;
  contextPercent: number | null;
  /** What a person should know about this one, as sentences. */
  warnings: string[];
}

export interface HookStatus {
  mode: "settings" | "plugin" | "none";
  path: string;
  events: string[];
  /** False when there are none, or when something keeps Claude from running them: see the problems. */
  active: boolean;
}

export interface Status {
  now: number;
  hooks: HookStatus;
  claude: { configDirectory: string; installed: InstalledClaude | undefined };
  /** Where `cclaude` is found on PATH; null when it is not. */
  shimOnPath: string | null;
  sessions: SessionSummary[];
  disk: { used: number; max: number };
  settings: SnapshotSettings;
  problems: string[];
  /** Of those, why hooks do not run as they should. */
  hookProblems: string[];
  /** Of those, what is wrong with our own settings. */
  settingProblems: string[];
  /** Of those, what maintenance and hooks could not do. */
  loggedProblems: string[];
}

export async function readStatus(environment: Environment): Promise<Status> {
  const { paths, variables, now, claudeConfig } = environment;
  const config = readOrReport(paths.config);
  const { settings, problems } = readSettings(config.text, variables);
  const { hooks, problems: hookProblems } = readHooks(environment);
  const ids = listSessionIds(paths);
  const sessions = ids.map((id) => summarise(environment, id));
  sessions.sort((a, b) => (b.lastMark ?? 0) - (a.lastMark ?? 0));
  const settingProblems = [
    ...(config.problem === undefined ? [] : [`${config.problem}; using the defaults`]),
    ...problems,
    ...readCheckpointSettings(config.text, variables).problems,
    ...readHostSettings(config.text, variables).problems,
    ...unknownSettings(config.text),
  ];
  const maintenance = maintenanceProblems(environment);
  const logged = recentProblems(environment);
  return {
    now: now(),
    hooks,
    claude: { configDirectory: claudeConfig, installed: await installedClaude(variables) },
    shimOnPath: findExecutable(["cclaude", "cclaude.exe", "cclaude.cmd"], variables["PATH"] ?? "", "") ?? null,
    sessions,
    disk: { used: diskUse(paths.root), max: settings.maxDisk },
    settings,
    problems: [...settingProblems, ...hookProblems, ...maintenance, ...unsavedSessions(environment, ids), ...logged],
    hookProblems,
    settingProblems,
    loggedProblems: [...maintenance, ...logged],
  };
}

export function diskUse(root: string): number {
  return listFiles(root).reduce((sum, name) => sum + (fileSize(`${root}/${name}`) ?? 0), 0);
}

function readHooks(environment: Environment): { hooks: HookStatus; problems: string[] } {
  const path = settingsPath(environment.claudeConfig);
  const { text, problem } = readOrReport(path);
  const obstacles = problem === undefined ? settingsWarnings({ path, text }) : [problem];
  // Those of ai-runtime install take snapshots as well.
  const programs = ["session-snapshot", "ai-runtime"] as const;
  const events = [...new Set(programs.flatMap((program) => listHookEvents(text, program)))];
  const plugin = pluginFile(environment);
  const found: Omit<HookStatus, "active"> =
    plugin && isOwnPlugin(plugin)
      ? { mode: "plugin", path: plugin, events: ["PostToolUse"] }
      : { mode: events.length > 0 ? "settings" : "none", path, events };
  const twice =
    found.mode === "plugin" && events.length > 0
      ? [`our hooks are there twice, as ${plugin} and in ${path}; session-snapshot install mends that`]
      : [];
  return {
    hooks: { ...found, active: found.mode !== "none" && obstacles.length === 0 },
    problems: [...obstacles, ...twice],
  };
}

function summarise(environment: Environment, sessionId: string): SessionSummary {
  const { paths } = environment;
  const view = viewSession(paths, sessionId);
  if (typeof view === "string") return unreadable(environment, sessionId);
  // After a restore was undone into nothing, the present one is empty; the newest that has marks says more.
  const present = view.generations.findLast(({ marks }) => marks.length > 0);
  const last = present?.marks.at(-1);
  const tokens = last?.contextTokens ?? null;
  const window = contextWindow(allMarks(view).map((mark) => mark.contextTokens));
  const transcriptSize = fileSize(view.transcriptPath) ?? null;
  return {
    sessionId,
    project: view.cwd ?? projectOf(view.transcriptPath),
    transcriptPath: view.transcriptPath,
    transcriptSize,
    size: present?.size ?? 0,
    marks: allMarks(view).length,
    generations: view.generations.length,
    lastMark: last?.time ?? null,
    contextTokens: tokens,
    contextPercent: tokens === null ? null : Math.round((tokens / window) * 100),
    warnings: [
      ...view.generations.flatMap((generation) => generationWarning(generation)),
      ...(transcriptSize === null
        ? [`its transcript is gone; session-snapshot restore ${sessionId} brings it back`]
        : [
            ...shorterWarning(view.generations.at(-1)?.size ?? 0, transcriptSize, sessionId),
            ...standstillWarning(environment, sessionId, transcriptSize),
          ]),
    ],
  };
}

/** Before the next hook sees it, and there may be none any more. */
function shorterWarning(size: number, transcriptSize: number, sessionId: string): string[] {
  if (transcriptSize >= size) return [];
  const lost = `its transcript has ${transcriptSize} bytes, the snapshot ${size}`;
  return [`${lost}; session-snapshot verify ${sessionId} says what is missing`];
}

function generationWarning({ number, size, ended, marks, unreadable, mirrorPath }: Generation): string[] {
  if (unreadable) return [`the record of generation ${number} cannot be read; its bytes may be in ${mirrorPath}`];
  if (!ended || ended.why === "restored") return [];
  const what = {
    shrunk: "the transcript got shorter",
    moved: "the transcript moved to another place",
    rewritten: "the transcript was overwritten",
    damaged: "our copy of the transcript was damaged",
    "unreadable-state": "our record of the transcript could not be read",
  }[ended.why];
  const last = marks.at(-1);
  const kept = last ? `; all ${size} bytes before it are kept as generation ${number}, restore --to ${last.n}` : "";
  return [`${what} at ${new Date(ended.at).toISOString()}${kept}`];
}

function unreadable({ paths }: Environment, sessionId: string): SessionSummary {
  return {
    sessionId,
    project: "?",
    transcriptPath: "",
    transcriptSize: null,
    size: fileSize(paths.mirror(sessionId)) ?? 0,
    marks: 0,
    generations: 1,
    lastMark: fileFacts(paths.state(sessionId))?.modified ?? null,
    contextTokens: null,
    contextPercent: null,
    warnings: ["its state file cannot be read; the copy is kept, and the next snapshot starts a new generation"],
  };
}

// Without the hook's word for it, Claude's own name for the directory is the best there is.
const projectOf = (transcriptPath: string): string => transcriptPath.split(/[\\/]/).at(-2) ?? "?";
