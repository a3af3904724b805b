import { hasEnded, type RunRecord } from "../../core/run/run-record.ts";
import { heldSession, HostRecords, type HostedStatus } from "../../store/hosts/host-records.ts";
import type { RunState } from "../../core/run/state-words.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { listActiveIds, listEndedIds } from "../../store/runs/run-registry.ts";
import { type Denial, explainDenied } from "../explain-denied.ts";
import type { Environment } from "../environment.ts";
import { readOrphanedSession } from "./read-orphaned-session.ts";
import { runPathsOf } from "./register-run.ts";
import { findRun, hasDied, isInterrupted, listActive, readIfWhole } from "./find-run.ts";

export {
  nextCommand,
  type RunState,
  shortId,
  type StateWords,
  wordsOfHosted,
  wordsOfPhase,
  wordsOfRun,
} from "../../core/run/state-words.ts";
export type { HostedStatus };

export interface ListedRun {
  readonly record: RunRecord;
  /** Its supervisor died before the run ended. */
  readonly died: boolean;
  /** It died, and cannot be resumed. */
  readonly lost?: boolean;
  /** What its Claude is doing, while a host runs it. */
  readonly hosted: HostedStatus | undefined;
  /** Claude's title, as its host saw it last, also after the end; null when no host knows one. */
  readonly title: string | null;
  /** The conversation that it has, or had last; empty when that is not known. */
  readonly sessionId: string;
}

export interface ListedRuns {
  /** Newest first; includes every run that has not ended. */
  readonly runs: readonly ListedRun[];
  /** The number of ended runs that are left out. */
  readonly older: number;
  /** The ids of runs with unreadable records. */
  readonly unreadable: readonly string[];
  /** Why runs may be missing here, and the command that corrects it; undefined when none are. */
  readonly denied?: Denial;
}

/** Reads only the newest `maxEnded` of the ended runs; of older ones it reads just the names. */
export function listRuns(environment: Environment, maxEnded: number): ListedRuns {
  try {
    return readRuns(environment, runPathsOf(environment), maxEnded);
  } catch (error) {
    const denied = explainDenied(error);
    if (!denied) throw error;
    return { runs: [], older: 0, unreadable: [], denied };
  }
}

function readRuns(environment: Environment, paths: RunPaths, maxEnded: number): ListedRuns {
  const active = listActive(paths).flatMap((record) => describe(environment, paths, record) ?? []);
  const ids = listEndedIds(paths);
  // A run that ends during the listing is in both.
  const known = new Set(active.map(({ record }) => record.plan.id));
  const newest = (maxEnded === 0 ? [] : ids.slice(-maxEnded)).filter((id) => !known.has(id));
  const ended = newest.flatMap((id) => {
    const record = readIfWhole(paths, id);
    return record ? [withHost(paths, { record, died: false })] : [];
  });
  const runs = [...active, ...ended].sort((a, b) => (a.record.plan.id < b.record.plan.id ? 1 : -1));
  const shown = new Set(runs.map(({ record }) => record.plan.id));
  const unreadable = [...listActiveIds(paths), ...newest].filter((id) => !shown.has(id) && !readIfWhole(paths, id));
  return { runs, older: Math.max(0, ids.length - maxEnded), unreadable };
}

/** Undefined for a session of cclaude that ended in an orderly way or continues elsewhere: its record is only not removed yet. */
function describe(environment: Environment, paths: RunPaths, record: RunRecord): ListedRun | undefined {
  const died = hasDied(record);
  if (!record.plan.cclaude || !isInterrupted(record)) return withHost(paths, { record, died });
  const { state } = readOrphanedSession(environment, paths, record);
  return state === "over" || state === "open"
    ? undefined
    : withHost(paths, { record, died: state !== "running", lost: state === "lost" });
}

/** Adds what the host of an interactive run knows. */
function withHost(paths: RunPaths, run: Omit<ListedRun, "hosted" | "title" | "sessionId">): ListedRun {
  const { plan, status } = run.record;
  const host = plan.kind === "interactive" ? new HostRecords(paths.root).read(plan.id) : undefined;
  const isLive = !run.died && !hasEnded(status.phase) && status.phase !== "paused" && host?.end === null;
  const hosted = isLive ? host.status : undefined;
  return {
    ...run,
    hosted,
    title: host?.status?.title ?? null,
    sessionId: (host && heldSession(host)) ?? plan.sessionId,
  };
}

/** What the words for its state are made of. */
export const stateOfRun = ({ record, died, lost, hosted }: ListedRun): RunState => ({
  kind: record.plan.kind,
  status: record.status,
  died,
  lost,
  hosted: hosted?.state,
});

/** Claude's title, else the task in the user's words. */
export const titleOf = ({ record, title }: ListedRun): string => title ?? record.plan.task;

/** When the state began, in milliseconds since 1970. */
export const stateSince = ({ record, hosted }: ListedRun): number => hosted?.since ?? record.status.since;

/** The newest runs, active or ended, newest first. Quick: it reads no journal, so a state may be out of date. */
export function recentRuns(paths: RunPaths, maxRuns: number): RunRecord[] {
  const newestFirst = [...new Set([...listActiveIds(paths), ...listEndedIds(paths)])].sort().toReversed();
  return newestFirst.slice(0, maxRuns).flatMap((id) => readIfWhole(paths, id) ?? []);
}

/** A single run, by its id or a part of it. */
export function listRun(environment: Environment, given: string): ListedRuns {
  const paths = runPathsOf(environment);
  const record = findRun(paths, given, environment.cwd);
  const listed = describe(environment, paths, record);
  return { runs: listed ? [listed] : [], older: 0, unreadable: [] };
}
