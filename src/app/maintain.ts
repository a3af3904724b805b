import { type DropAction, isLive, type PackAction, planDrops, planPacking } from "../core/retention.ts";
import { readSettings, type SnapshotSettings } from "../core/snapshot-settings.ts";
import { makeDirectory } from "../io/durable.ts";
import { fileSize, readText } from "../io/read-file.ts";
import { readPastState } from "../store/past-state.ts";
import { pointToNewest } from "../store/latest.ts";
import { tryLock } from "../store/lock.ts";
import {
  type Dropped,
  type MaintenanceRecord,
  readMaintenance,
  writeMaintenance,
} from "../store/maintenance-record.ts";
import { packMirror, pastPlace, type Place, presentPlace, removeSurplus } from "../store/packing.ts";
import { finishRemovals, listUnfinishedRemovals, removeGeneration, removeSession } from "../store/removal.ts";
import { parseState, type SnapshotState } from "../store/snapshot-state.ts";
import type { Environment } from "./environment.ts";
import { diskUse } from "./status.ts";
import { surveySession, surveySessions } from "./survey.ts";
import { sweepLeftovers } from "./sweep.ts";

export interface PackedMirror {
  sessionId: string;
  generation: number;
  before: number;
  after: number;
}

export interface MaintenanceReport {
  packed: PackedMirror[];
  dropped: Dropped[];
  /** Bytes beyond the cap that are left: all in use. */
  over: number;
  /** What could not be done, as sentences. */
  problems: string[];
}

/** What all steps of one run share. */
interface Run {
  environment: Environment;
  settings: SnapshotSettings;
  report: MaintenanceReport;
  record: MaintenanceRecord;
}

/** Packs what is cold, drops what is beyond the cap, sweeps what kills left. "busy" when another run is at it. */
export function maintain(environment: Environment): MaintenanceReport | "busy" {
  const { paths, variables, now } = environment;
  makeDirectory(paths.locks);
  const lock = tryLock(`${paths.root}/maintenance.lock`);
  if (lock === "busy") return "busy";
  try {
    const { settings } = readSettings(readText(paths.config), variables);
    const record = { ...readMaintenance(paths), lastRun: now() };
    const report: MaintenanceReport = { packed: [], dropped: [], over: 0, problems: [] };
    // First of all, so that a run that dies is not tried again at every session's end.
    writeMaintenance(paths, record);
    perform({ environment, settings, report, record });
    writeMaintenance(paths, { ...record, over: report.over, problems: report.problems });
    return report;
  } finally {
    lock.release();
  }
}

function perform(run: Run): void {
  const { environment, settings, report } = run;
  const { paths, now } = environment;
  for (const sessionId of listUnfinishedRemovals(paths)) {
    underLock(run, sessionId, () => finishRemovals(paths, sessionId));
  }
  const sessions = surveySessions(environment);
  for (const { sessionId, doubled } of sessions) {
    if (doubled.length > 0) underLock(run, sessionId, () => settle(run, sessionId, doubled));
  }
  for (const action of planPacking(sessions, settings, now())) {
    underLock(run, action.sessionId, () => pack(run, action));
  }
  // Looked at anew: packing may have made room enough.
  const drops = planDrops(surveySessions(environment), diskUse(paths.root), settings, now());
  for (const action of drops) underLock(run, action.sessionId, () => drop(run, action));
  report.over = Math.max(0, diskUse(paths.root) - settings.maxDisk);
  pointToNewest(paths);
  sweepLeftovers(environment);
}

/** A session that somebody works on is left for the next time; one that fails does not keep the others waiting. */
function underLock({ environment, report }: Run, sessionId: string, body: () => void): void {
  try {
    const lock = tryLock(environment.paths.lock(sessionId));
    if (lock === "busy") return;
    try {
      body();
    } finally {
      lock.release();
    }
  } catch (error) {
    report.problems.push(`session ${sessionId}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function pack({ environment, settings, report }: Run, action: PackAction): void {
  const { sessionId, generation } = action;
  // A hook may have been here since the plan was made.
  const current = planPacking([surveySession(environment, sessionId)], settings, environment.now());
  const held = findHeld(environment, sessionId, generation);
  if (!held || !current.some((each) => each.generation === generation)) return;
  const before = fileSize(held.place.mirror) ?? 0;
  const after = packMirror(held.place, held.state);
  if (after !== false) report.packed.push({ sessionId, generation, before, after });
  else report.problems.push(`session ${sessionId}: ${held.place.mirror} is not what it was, and stays as it is`);
}

function drop({ environment, report, record }: Run, { sessionId, generation, bytes, onlyCopy }: DropAction): void {
  const { paths, now } = environment;
  const session = surveySession(environment, sessionId);
  if (generation === null && isLive(session, now())) return;
  if (generation === null) removeSession(paths, sessionId);
  else removeGeneration(paths, sessionId, generation);
  report.dropped.push({ time: now(), sessionId, generation, project: session.project, bytes, onlyCopy });
  record.dropped.push(...report.dropped.slice(-1));
  writeMaintenance(paths, record);
}

function settle({ environment }: Run, sessionId: string, generations: readonly number[]): void {
  for (const generation of generations) {
    const held = findHeld(environment, sessionId, generation);
    if (held) removeSurplus(held.place, held.state);
  }
}

function findHeld(
  { paths }: Environment,
  sessionId: string,
  generation: number,
): { place: Place; state: SnapshotState } | undefined {
  const present = parseState(readText(paths.state(sessionId)) ?? "", sessionId);
  if (present?.generation === generation) return { place: presentPlace(paths, sessionId), state: present };
  const past = readPastState(paths, sessionId, generation);
  return past && { place: pastPlace(paths, sessionId, generation), state: past };
}
