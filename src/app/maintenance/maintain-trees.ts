import { planTreeDrops } from "../../core/files/tree-retention.ts";
import { messageOf } from "../../core/message-of.ts";
import type { RetentionSettings } from "../../core/snapshot/retention.ts";
import { removeTree } from "../../io/durable/remove-tree.ts";
import { findGit } from "../../io/git/find-git.ts";
import { tryLock } from "../../store/lock.ts";
import { type Dropped, fileMarksOfProject } from "../../store/snapshots/maintenance-record.ts";
import { packTrees } from "../../store/trees/pack-trees.ts";
import { surveyTrees } from "../../store/trees/survey-trees.ts";
import { listTreeDirectories, treeLock } from "../../store/trees/tree-paths.ts";
import { readRecord } from "../../store/trees/tree-record.ts";
import { finishTreeRemovals } from "../../store/trees/tree-removal.ts";
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
    return [
      {
        time: now(),
        sessionId: fileMarksOfProject,
        generation: null,
        project: workspace,
        bytes,
        onlyCopy: !workspaceExists,
      },
    ];
  });
}
