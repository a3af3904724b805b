import { Failure } from "../../core/failure.ts";
import {
  type DropAction,
  isLive,
  type PackAction,
  planDrops,
  planPacking,
  type RetentionSettings,
} from "../../core/snapshot/retention.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import { fileSize, readText } from "../../io/files/read-file.ts";
import { readPastState } from "../../store/snapshots/past-state.ts";
import { pointToNewest } from "../../store/snapshots/latest.ts";
import { tryLock } from "../../store/lock.ts";
import {
  type Dropped,
  type MaintenanceRecord,
  readMaintenance,
  writeMaintenance,
} from "../../store/snapshots/maintenance-record.ts";
import { packMirror, pastPlace, type Place, presentPlace, removeSurplus } from "../../store/packing/packing.ts";
import {
  finishRemovals,
  listUnfinishedRemovals,
  removeGeneration,
  removeSession,
} from "../../store/snapshots/removal.ts";
import { parseState, type SnapshotState } from "../../store/snapshots/snapshot-state.ts";
import type { Environment } from "../environment.ts";
import { loadSettings } from "../settings.ts";
import { diskUse } from "./disk-use.ts";
import { dropTrees, packAllTrees, thinTrees } from "./maintain-trees.ts";
import { surveySession, surveySessions } from "./survey.ts";
import { sweepLeftovers } from "./sweep.ts";
import { messageOf } from "../../core/message-of.ts";

export interface PackedMirror {
  sessionId: string;
  generation: number;
  before: number;
  after: number;
}

export interface MaintenanceReport {
  packed: PackedMirror[];
  dropped: Dropped[];
  /** Bytes above the disk cap that remain because they are in use. */
  over: number;
  /** Failures, as sentences for the user. */
  problems: string[];
}

/** Shared by all steps of one maintenance run. */
interface Run {
  environment: Environment;
  settings: RetentionSettings;
  report: MaintenanceReport;
  record: MaintenanceRecord;
}

/** Packs cold mirrors, drops what exceeds the disk cap, and sweeps leftovers. Returns undefined while another run is active. */
export function maintain(environment: Environment): MaintenanceReport | undefined {
  const { paths, now } = environment;
  makeDirectory(paths.locks);
  const lock = tryLock(`${paths.root}/maintenance.lock`);
  if (!lock) return undefined;
  try {
    const { settings: loaded, unreadable, rejected } = loadSettings(environment);
    if (unreadable !== undefined) throw new Failure("failed", unreadable);
    // The default maxDisk could delete snapshots that the maxDisk the user meant would keep.
    const settings = rejected.includes("maxDisk") ? { ...loaded, maxDisk: Infinity } : loaded;
    const record = { ...readMaintenance(paths), lastRun: now() };
    const report: MaintenanceReport = { packed: [], dropped: [], over: 0, problems: [] };
    // Written first, so that a crashing run is not repeated at every session end.
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
    if (doubled.length > 0) underLock(run, sessionId, () => removeDoubled(run, sessionId, doubled));
  }
  for (const action of planPacking(sessions, settings, now())) {
    underLock(run, action.sessionId, () => pack(run, action));
  }
  report.problems.push(...packAllTrees(environment));
  noteDrops(run, dropTrees(environment, diskUse(paths.root), settings, "cold"));
  // Surveyed again, because packing may have freed enough space.
  const drops = planDrops(surveySessions(environment), diskUse(paths.root), settings, now());
  for (const action of drops) underLock(run, action.sessionId, () => drop(run, action));
  noteDrops(run, dropTrees(environment, diskUse(paths.root), settings, "any"));
  try {
    noteDrops(
      run,
      thinTrees(environment, () => diskUse(paths.root) > settings.maxDisk),
    );
  } catch (error) {
    report.problems.push(messageOf(error));
  }
  report.over = Math.max(0, diskUse(paths.root) - settings.maxDisk);
  pointToNewest(paths);
  sweepLeftovers(environment);
}

function noteDrops({ environment, report, record }: Run, dropped: readonly Dropped[]): void {
  if (dropped.length === 0) return;
  report.dropped.push(...dropped);
  record.dropped.push(...dropped);
  writeMaintenance(environment.paths, record);
}

/** Skips a session whose lock is held; a failure in one session does not stop the others. */
function underLock({ environment, report }: Run, sessionId: string, body: () => void): void {
  try {
    const lock = tryLock(environment.paths.lock(sessionId));
    if (!lock) return;
    try {
      body();
    } finally {
      lock.release();
    }
  } catch (error) {
    report.problems.push(`session ${sessionId}: ${messageOf(error)}`);
  }
}

function pack({ environment, settings, report }: Run, action: PackAction): void {
  const { sessionId, generation } = action;
  // Planned again under the lock, because a hook may have changed the session since.
  const current = planPacking([surveySession(environment, sessionId)], settings, environment.now());
  const held = findHeld(environment, sessionId, generation);
  if (!held || !current.some((each) => each.generation === generation)) return;
  const before = fileSize(held.place.mirror) ?? 0;
  const after = packMirror(held.place, held.state);
  if (after !== undefined) report.packed.push({ sessionId, generation, before, after });
  else
    report.problems.push(
      `session ${sessionId}: ${held.place.mirror} has changed since its last mark; it is left unpacked`,
    );
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

function removeDoubled({ environment }: Run, sessionId: string, generations: readonly number[]): void {
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
