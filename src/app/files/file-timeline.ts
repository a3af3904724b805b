import type { LineCounts } from "../../core/files/file-change.ts";
import type { FileMark } from "../../core/files/file-mark.ts";
import { viewSession } from "../../store/snapshots/session-view.ts";
import { countChangedLines } from "../../store/trees/read-trees.ts";
import { readRecord } from "../../store/trees/tree-record.ts";
import type { Environment } from "../environment.ts";
import { loadSettings } from "../settings.ts";
import { findWorkspace } from "./workspace.ts";

export { describeChange } from "../../core/files/file-change.ts";

/** A file mark and what had changed since the one before it. */
export interface ListedFileMark extends FileMark {
  change: LineCounts & { files: number };
}

/** The file marks of a session in its workspace, oldest first. Empty when there are none, or git is missing. */
export async function listFileMarks(environment: Environment, sessionId: string): Promise<ListedFileMark[]> {
  const directory = viewSession(environment.paths, sessionId)?.cwd ?? environment.cwd;
  const workspace = findWorkspace(environment, loadSettings(environment).settings, directory);
  if ("why" in workspace) return [];
  const record = readRecord(workspace.git.directory);
  if (record === undefined || record === "damaged") return [];
  const { marks } = record;
  const own = marks.flatMap((mark, at) => {
    // What a restore by hand did belongs to every timeline.
    const isOwn = mark.sessionId === sessionId || mark.sessionId === null;
    return isOwn ? [{ mark, before: marks[at - 1]?.tree ?? mark.tree }] : [];
  });
  const counted = await countChangedLines(
    workspace.git,
    own.map(({ mark, before }) => [before, mark.tree] as const),
  );
  return own.map(({ mark }, at) => {
    const files = counted[at] ?? [];
    const sum = (of: keyof LineCounts): number => files.reduce((total, each) => total + each[of], 0);
    return { ...mark, change: { added: sum("added"), removed: sum("removed"), files: files.length } };
  });
}
