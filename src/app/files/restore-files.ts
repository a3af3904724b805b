import { type ChangeKind, type FileChange, isMeant, kindOfChange } from "../../core/files/file-change.ts";
import type { FileMark, FileRestore } from "../../core/files/file-mark.ts";
import { Failure } from "../../core/failure.ts";
import { messageOf } from "../../core/message-of.ts";
import { findEntriesWithModes } from "./changed-modes.ts";
import { bytesOfText, textOfBytes } from "../../io/files/byte-path.ts";
import { findProjectGit, unfinishedOperation } from "../../io/git/git-files.ts";
import { ignoredAt } from "../../store/trees/ignored-at.ts";
import { compareTrees } from "../../store/trees/read-trees.ts";
import type { OpenTrees } from "../../store/trees/tree-marks.ts";
import { writeRecord } from "../../store/trees/tree-record.ts";
import type { Environment } from "../environment.ts";
import { loadSettings } from "../settings.ts";
import { type FilePoint, fileMarkAt } from "./choose-file-mark.ts";
import { markPresent, withTrees } from "./mark-files.ts";
import {
  carryOut,
  findDeviations,
  findObstacles,
  isNewer,
  isPresent,
  type Move,
  verifyContents,
} from "./move-files.ts";
import { requireWorkspace, type Workspace } from "./workspace.ts";

export interface FileRestoreRequest {
  directory: string;
  /** Default: the newest mark that differs from the present state. */
  point: FilePoint | undefined;
  sessionId: string | undefined;
  /** Below the workspace; empty: everything. */
  paths: readonly string[];
  force: boolean;
  dryRun: boolean;
}

export interface FileRestoreResult {
  workspace: string;
  /** The state that was put back, and the one that it replaced. */
  to: FileMark;
  from: FileMark;
  changes: { path: string; kind: ChangeKind }[];
  /** Files that the mark names, but does not contain. */
  left: FileMark["left"];
  restored: boolean;
}

/** Puts files back as they were at a mark. The present state is marked first, so `undo` brings it back. */
export async function restoreFiles(environment: Environment, request: FileRestoreRequest): Promise<FileRestoreResult> {
  const { settings } = loadSettings(environment);
  const workspace = requireWorkspace(environment, settings, request.directory);
  return withTrees(environment, workspace, async (trees) => {
    if (!request.force) refuseUnfinishedGit(workspace);
    if (trees.record.marks.length === 0)
      throw new Failure("not-found", `there is no file mark of ${workspace.root} yet`);
    const context = { environment, record: trees.record, sessionId: request.sessionId, directory: request.directory };
    // Chosen before the present state becomes a mark of its own.
    const chosen = request.point && fileMarkAt(context, request.point);
    const from = await markPresent(environment, settings, workspace, trees, "before-restore");
    const to = chosen ?? newestOther(trees.record.marks, from);
    const open = findUnfinished(trees, to, request.paths);
    const planned = await planMove(trees, { from, to, paths: request.paths });
    const move = { ...planned, changes: planned.changes.filter((change) => !isPresent(planned.root, change)) };
    const result = {
      workspace: workspace.root,
      to,
      from,
      left: to.left,
      changes: move.changes.map((change) => ({ path: textOfBytes(change.path), kind: kindOfChange(change) })),
      restored: false,
    };
    await check(trees, move);
    if (request.dryRun || move.changes.length === 0) return result;
    const entry: FileRestore = open ?? {
      time: environment.now(),
      from: from.n,
      to: to.n,
      paths: [...request.paths],
      state: "started",
    };
    await perform(trees, move, entry, from);
    await markPresent(environment, settings, workspace, trees, "restore");
    return { ...result, restored: true };
  });
}

/** What leads from one mark to the other. Only permission bits may differ, too. */
export async function planMove(
  { git, record }: OpenTrees,
  { from, to, paths }: { from: FileMark; to: FileMark; paths: readonly string[] },
): Promise<Move> {
  const all = await compareTrees(git, from.tree, to.tree);
  const changed = all.map(({ path }) => path);
  const ignored = await ignoredAt(git, { present: from.tree, tree: to.tree, changed });
  // The target did not contain these files, but they may have existed: they stay.
  const left = new Set(to.left.map(({ path }) => bytesOfText(path)));
  const changes = all.filter(
    (change) => change.to !== undefined || !(ignored.has(change.path) || left.has(change.path)),
  );
  const modes = await findEntriesWithModes(git, from, to, changes);
  return {
    root: record.workspace,
    changes: [...changes, ...modes].filter(({ path }) => isMeant(path, paths)),
    modes: to,
    since: to.time,
  };
}

export async function check({ git }: OpenTrees, move: Move): Promise<void> {
  const obstacles = findObstacles(move);
  if (obstacles.length > 0) {
    const more = obstacles.length > 3 ? `, and ${obstacles.length - 3} more` : "";
    throw new Failure("failed", `${obstacles.slice(0, 3).join("; ")}${more}; nothing was changed`, {
      hint: "Move these files away, or name the paths to restore.",
    });
  }
  await verifyContents(git, move);
}

/** Records the restore before the first change, and its end after the result is verified. An error puts everything back. */
export async function perform(
  trees: OpenTrees,
  move: Move,
  entry: FileRestore,
  present: FileMark,
  stateWhenBack: FileRestore["state"] = "undone",
): Promise<void> {
  const { git } = trees;
  noteRestore(trees, entry);
  try {
    await carryOut(git, move);
    const [deviation] = findDeviations(move);
    if (deviation !== undefined) throw new Failure("failed", `${deviation} differs from what was written to it`);
  } catch (error) {
    const isBack = await takeBack(trees, move, present);
    if (isBack) noteRestore(trees, { ...entry, state: stateWhenBack });
    const result = isBack ? "nothing was changed" : "some files are changed";
    throw new Failure("failed", `${messageOf(error)}; ${result}`, {
      cause: error,
      ...(isBack ? {} : { hint: "Run session-snapshot undo: the state before is kept as a mark." }),
    });
  }
  noteRestore(trees, { ...entry, state: "done" });
}

async function takeBack({ git }: OpenTrees, { root, changes }: Move, present: FileMark): Promise<boolean> {
  try {
    // What another program wrote meanwhile stays.
    const taken = changes.map(reverse).filter((change) => !isNewer(root, change));
    const back: Move = { root, changes: taken, modes: present, since: present.time };
    await carryOut(git, back);
    return findDeviations(back).length === 0;
  } catch {
    return false;
  }
}

const reverse = ({ path, from, to }: FileChange): FileChange => ({ path, from: to, to: from });

const maxRestores = 50;

export function noteRestore(trees: OpenTrees, entry: FileRestore): void {
  const others = trees.record.restores.filter(({ time }) => time !== entry.time);
  trees.record = { ...trees.record, restores: [...others, entry].slice(-maxRestores) };
  writeRecord(trees.git.directory, trees.record);
}

function newestOther(marks: readonly FileMark[], present: FileMark): FileMark {
  return marks.findLast(({ tree }) => tree !== present.tree) ?? present;
}

function refuseUnfinishedGit({ root }: Workspace): void {
  const project = findProjectGit(root);
  const operation = project && unfinishedOperation(project);
  if (operation === undefined) return;
  throw new Failure("failed", `a ${operation} of git is not finished in ${root}; nothing was changed`, {
    hint: `Finish or abort the ${operation} first, or use --force.`,
  });
}

/** An interrupted restore is completed by the same restore, or taken back by undo; anything else would hide its half. */
function findUnfinished({ record }: OpenTrees, to: FileMark, paths: readonly string[]): FileRestore | undefined {
  const open = record.restores.find(({ state }) => state === "started");
  if (!open || (open.to === to.n && JSON.stringify(open.paths) === JSON.stringify(paths))) return open;
  const words = [`--to f${open.to}`, ...open.paths.map(textOfBytes)].join(" ");
  throw new Failure("failed", `a restore of files to f${open.to} was interrupted; nothing was changed`, {
    hint: `Complete it with: session-snapshot restore --files ${words}, or take it back with: session-snapshot undo --files`,
  });
}
