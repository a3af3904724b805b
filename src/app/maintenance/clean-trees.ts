import type { FileMark } from "../../core/files/file-mark.ts";
import { messageOf } from "../../core/message-of.ts";
import { lockWithin } from "../../store/lock.ts";
import { ownBytes } from "../../store/trees/survey-trees.ts";
import { listTreeDirectories, treeLock } from "../../store/trees/tree-paths.ts";
import { readRecord } from "../../store/trees/tree-record.ts";
import { removeMarks } from "../../store/trees/tree-removal.ts";
import type { Environment } from "../environment.ts";

/** File marks of one workspace that a clean removes. */
export interface TreeItem {
  directory: string;
  workspace: string;
  /** Numbers of the marks. */
  marks: number[];
  /** All of them go. */
  isWhole: boolean;
  bytes: number;
}

interface TreeScope {
  /** Undefined: every workspace. */
  workspace: string | undefined;
  /** Undefined: of every session. */
  sessionId: string | undefined;
  /** Marks taken before this time. */
  before: number;
  /** Sessions in use keep their marks. */
  spared: ReadonlySet<string>;
}

export function planTreeClean({ paths }: Environment, { workspace, sessionId, before, spared }: TreeScope): TreeItem[] {
  return listTreeDirectories(paths).flatMap((directory): TreeItem[] => {
    const record = readRecord(directory);
    if (record === undefined || record === "damaged") return [];
    if (workspace !== undefined && !`${workspace}/`.startsWith(`${record.workspace}/`)) return [];
    const isGoing = (mark: FileMark): boolean =>
      mark.time <= before &&
      (sessionId === undefined || mark.sessionId === sessionId) &&
      (mark.sessionId === null || !spared.has(mark.sessionId));
    const marks = record.marks.filter(isGoing).map(({ n }) => n);
    const isWhole = marks.length === record.marks.length;
    const bytes = isWhole ? ownBytes(directory) : 0;
    return marks.length === 0 ? [] : [{ directory, workspace: record.workspace, marks, isWhole, bytes }];
  });
}

const lockTimeoutMs = 5_000;

/** Returns what was freed, and what failed. */
export async function cleanTrees(
  { paths }: Environment,
  items: readonly TreeItem[],
): Promise<{ removed: TreeItem[]; freed: number; failed: { sessionId: string; why: string }[] }> {
  const result: Awaited<ReturnType<typeof cleanTrees>> = { removed: [], freed: 0, failed: [] };
  for (const item of items) {
    const sessionId = `file marks of ${item.workspace}`;
    const lock = await lockWithin(treeLock(paths, item.workspace), lockTimeoutMs);
    if (!lock) {
      result.failed.push({ sessionId, why: "another command is working on them" });
      continue;
    }
    try {
      const going = new Set(item.marks);
      removeMarks(item.directory, ({ n }) => going.has(n));
      result.removed.push(item);
      result.freed += item.bytes;
    } catch (error) {
      result.failed.push({ sessionId, why: messageOf(error) });
    } finally {
      lock.release();
    }
  }
  return result;
}
