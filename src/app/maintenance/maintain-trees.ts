import { droppableMarks, planTreeDrops } from "../../core/files/tree-retention.ts";
import { messageOf } from "../../core/message-of.ts";
import type { RetentionSettings } from "../../core/snapshot/retention.ts";
import { removeTree } from "../../io/durable/remove-tree.ts";
import { findGit } from "../../io/git/find-git.ts";
import { tryLock } from "../../store/lock.ts";
import { type Dropped, fileMarksOfProject } from "../../store/snapshots/maintenance-record.ts";
import { packTrees } from "../../store/trees/pack-trees.ts";
import { ownBytes, surveyTrees } from "../../store/trees/survey-trees.ts";
import { listTreeDirectories, treeLock } from "../../store/trees/tree-paths.ts";
import { readRecord } from "../../store/trees/tree-record.ts";
import { finishTreeRemovals, removeMarks } from "../../store/trees/tree-removal.ts";
import type { Environment } from "../environment.ts";

/** Packs the file marks of every workspace that no process is working on. Returns what failed. */
export function packAllTrees({ paths, variables }: Environment): string[] {
  finishTreeRemovals(paths);
  return listTreeDirectories(paths).flatMap((directory) => {
    const record = readRecord(directory);
    if (record === undefined || record === "damaged") return [];
    const executable = findGit(variables["PATH"] ?? "", record.workspace);
    const lock = executable === undefined ? undefined : tryLock(treeLock(paths, record.workspace));
    if (executable === undefined || !lock) return [];
    try {
      packTrees({ executable, directory }, record);
      return [];
    } catch (error) {
      return [`file marks of ${record.workspace}: ${messageOf(error)}`];
    } finally {
      lock.release();
    }
  });
}

/** Drops file marks while the disk cap is exceeded. */
export function dropTrees(
  { paths, now }: Environment,
  used: number,
  settings: RetentionSettings,
  which: "cold" | "any",
): Dropped[] {
  return planTreeDrops(surveyTrees(paths), used, settings, now(), which).flatMap((tree): Dropped[] => {
    const lock = tryLock(treeLock(paths, tree.workspace));
    if (!lock) return [];
    try {
      removeTree(tree.directory);
    } finally {
      lock.release();
    }
    const { workspace, bytes, workspaceExists } = tree;
    return [droppedMarks(now(), workspace, bytes, { upTo: null, onlyCopy: !workspaceExists })];
  });
}

const droppedMarks = (
  time: number,
  project: string,
  bytes: number,
  { upTo, onlyCopy }: { upTo: number | null; onlyCopy: boolean },
): Dropped => ({ time, sessionId: fileMarksOfProject, generation: upTo, project, bytes, onlyCopy });

/**
 * While the disk cap is exceeded, removes the older half of what may go of each workspace that stays, the largest first, again
 * and again. Only packing frees the space. Throws when git fails.
 */
export function thinTrees({ paths, variables, now }: Environment, isOver: () => boolean): Dropped[] {
  const trees = surveyTrees(paths).sort((a, b) => b.bytes - a.bytes);
  return trees.flatMap(({ directory, workspace }): Dropped[] => {
    const executable = findGit(variables["PATH"] ?? "", workspace);
    const lock = executable !== undefined && isOver() ? tryLock(treeLock(paths, workspace)) : undefined;
    if (executable === undefined || !lock) return [];
    try {
      const before = ownBytes(directory);
      let upTo: number | undefined;
      while (isOver()) {
        const record = readRecord(directory);
        if (record === undefined || record === "damaged") break;
        const marks = droppableMarks(record, now());
        const going = new Set(marks.slice(0, Math.ceil(marks.length / 2)));
        if (going.size === 0) break;
        removeMarks(directory, ({ n }) => going.has(n));
        upTo = Math.max(...going);
        const thinned = readRecord(directory);
        if (thinned !== undefined && thinned !== "damaged") packTrees({ executable, directory }, thinned);
      }
      if (upTo === undefined) return [];
      return [droppedMarks(now(), workspace, before - ownBytes(directory), { upTo, onlyCopy: false })];
    } finally {
      lock.release();
    }
  });
}
