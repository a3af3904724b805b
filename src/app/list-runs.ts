import type { RunRecord } from "../core/run-record.ts";
import type { RunPaths } from "../store/run-paths.ts";
import { listActiveIds, listEndedIds } from "../store/run-registry.ts";
import { findRun, hasDied, listActive, readIfWhole } from "./find-run.ts";

export interface ListedRun {
  readonly record: RunRecord;
  /** Nobody goes on with it, though nobody ended it. */
  readonly died: boolean;
}

export interface ListedRuns {
  /** Newest first; those that have not ended are all there. */
  readonly runs: readonly ListedRun[];
  /** How many ended ones are not among them. */
  readonly older: number;
  /** Whose records are not what we wrote. */
  readonly unreadable: readonly string[];
}

/** Of the ended runs, the `most` newest: what ended long ago costs a name in a directory, and no more. */
export function listRuns(paths: RunPaths, most: number): ListedRuns {
  const active = listActive(paths).map((record) => ({ record, died: hasDied(record) }));
  const ids = listEndedIds(paths);
  // One that ended while we looked is among both.
  const known = new Set(active.map(({ record }) => record.plan.id));
  const newest = (most === 0 ? [] : ids.slice(-most)).filter((id) => !known.has(id));
  const ended = newest.flatMap((id) => {
    const record = readIfWhole(paths, id);
    return record ? [{ record, died: false }] : [];
  });
  const runs = [...active, ...ended].sort((a, b) => (a.record.plan.id < b.record.plan.id ? 1 : -1));
  const shown = new Set(runs.map(({ record }) => record.plan.id));
  const unreadable = [...listActiveIds(paths), ...newest].filter((id) => !shown.has(id));
  return { runs, older: Math.max(0, ids.length - most), unreadable };
}

/** One alone, by its id or a part of it. */
export function listRun(paths: RunPaths, given: string, project: string): ListedRuns {
  const record = findRun(paths, given, project);
  return { runs: [{ record, died: hasDied(record) }], older: 0, unreadable: [] };
}
