import type { FileMark, FileRestore } from "../../core/files/file-mark.ts";
import { Failure } from "../../core/failure.ts";
import { readRecord } from "../../store/trees/tree-record.ts";
import type { OpenTrees } from "../../store/trees/tree-marks.ts";
import type { Environment } from "../environment.ts";
import { loadSettings } from "../settings.ts";
import { markPresent, withTrees } from "./mark-files.ts";
import { findDeviations, type Move } from "./move-files.ts";
import { check, type FileRestoreResult, noteRestore, perform, planMove } from "./restore-files.ts";
import { findWorkspace, requireWorkspace } from "./workspace.ts";
import { kindOfChange } from "../../core/files/file-change.ts";
import { textOfBytes } from "../../io/files/byte-path.ts";

/** When the last restore of files here began that can be taken back. */
export function lastFileRestore(environment: Environment, directory: string): number | undefined {
  const workspace = findWorkspace(environment, loadSettings(environment).settings, directory);
  const record = "why" in workspace ? undefined : readRecord(workspace.git.directory);
  return record === undefined || record === "damaged" ? undefined : findOpen(record.restores)?.time;
}

const findOpen = (restores: readonly FileRestore[]): FileRestore | undefined =>
  restores.findLast(({ state }) => state !== "undone");

/** Brings back the files that the last restore replaced. Refuses when they have changed since, unless forced. */
export async function undoFiles(
  environment: Environment,
  directory: string,
  force: boolean,
): Promise<FileRestoreResult> {
  const { settings } = loadSettings(environment);
  const workspace = requireWorkspace(environment, settings, directory);
  return withTrees(environment, workspace, async (trees) => {
    const last = findOpen(trees.record.restores);
    if (!last) throw new Failure("not-found", `there is no restore of files to undo in ${workspace.root}`);
    const before = markOf(trees, last.from);
    const restored = await planMove(trees, { from: before, to: markOf(trees, last.to), paths: last.paths });
    if (!force && last.state === "done") refuseNewerWork(last, restored);
    const present = await markPresent(environment, settings, workspace, trees, "before-undo");
    // Other files may have changed since; they stay as they are.
    const touched = new Set(restored.changes.map(({ path }) => path));
    const whole = await planMove(trees, { from: present, to: before, paths: last.paths });
    const move = { ...whole, changes: whole.changes.filter(({ path }) => touched.has(path)) };
    await check(trees, move);
    if (move.changes.length > 0) await perform(trees, move, { ...last, state: "started" }, present, last.state);
    noteRestore(trees, { ...last, state: "undone" });
    await markPresent(environment, settings, workspace, trees, "undo");
    return {
      workspace: workspace.root,
      to: before,
      from: present,
      left: before.left,
      changes: move.changes.map((change) => ({ path: textOfBytes(change.path), kind: kindOfChange(change) })),
      restored: move.changes.length > 0,
    };
  });
}

/** What the restore wrote must still be there. */
function refuseNewerWork({ from }: FileRestore, restored: Move): void {
  const changed = findDeviations(restored);
  if (changed.length === 0) return;
  const more = changed.length > 1 ? ` and ${changed.length - 1} more` : "";
  throw new Failure("failed", `${changed[0]}${more} changed since the restore; nothing was changed`, {
    hint: `To bring back f${from} anyway: session-snapshot undo --files --force. It keeps the present state as a mark.`,
  });
}

function markOf({ record }: OpenTrees, n: number): FileMark {
  const mark = record.marks.find((each) => each.n === n);
  if (mark) return mark;
  throw new Failure("not-found", `the file mark f${n} is no longer kept`);
}
