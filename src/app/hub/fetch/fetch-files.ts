import type { FileMark } from "../../../core/files/file-mark.ts";
import { readHead } from "../../../hub/subjects.ts";
import { runGit } from "../../../io/git/run-git.ts";
import { prepareRepository } from "../../../store/trees/tree-repository.ts";
import { unpackTrees } from "../../../store/trees/send-trees.ts";
import { readRecord, writeRecord } from "../../../store/trees/tree-record.ts";
import type { Environment } from "../../environment.ts";
import { withTrees } from "../../files/mark-files.ts";
import { restoreFiles } from "../../files/restore-files.ts";
import { findWorkspace } from "../../files/workspace.ts";
import { loadSettings } from "../../settings.ts";
import { workspaceNames } from "../replicate/gather-workspace.ts";
import type { Hub } from "../open-hub.ts";
import { readWholeItem } from "./read-item.ts";
import { openManifest } from "../replicate/subject.ts";

export interface FetchedFiles {
  /** How many files differ from what this machine had. */
  readonly changes: number;
  /** When the other machine saved this state, by its clock. */
  readonly takenAt: number;
}

/**
 * Puts the files of a project as they were at the last mark of a session on the other machine. The present state is marked
 * first, so `session-snapshot undo` brings it back. Undefined when there is no such mark.
 */
export async function fetchFiles(
  environment: Environment,
  hub: Hub,
  {
    workspace: id,
    sessionId,
    directory,
  }: { readonly workspace: string; readonly sessionId: string; readonly directory: string },
): Promise<FetchedFiles | undefined> {
  const head = await readHead(hub.connection, id);
  const manifest = openManifest(hub.sealer, head);
  const mark = newestMark(manifest.documents[workspaceNames.marks], sessionId);
  const workspace = findWorkspace(environment, loadSettings(environment).settings, directory);
  if (!mark || "why" in workspace) return undefined;
  const takenAt = mark.takenAt ?? mark.time;
  const number = await withTrees(environment, workspace, async (trees) => {
    prepareRepository(workspace.git.directory);
    for (const item of manifest.items) {
      if (await hasTree(workspace.git, mark.tree)) break;
      if (item.name.startsWith(workspaceNames.pack)) {
        await unpackTrees(workspace.git, await readWholeItem(hub, id, item));
      }
    }
    const record = readRecord(workspace.git.directory);
    const base = record === undefined || record === "damaged" ? trees.record : record;
    const known = base.marks.find(({ tree, reason }) => tree === mark.tree && reason === "hub");
    if (known) return known.n;
    const n = base.count + 1;
    const here = { n, time: environment.now(), takenAt, reason: "hub", mark: null, before: null };
    const arrived: FileMark = { ...mark, ...here };
    writeRecord(workspace.git.directory, { ...base, count: n, marks: [...base.marks, arrived] });
    return n;
  });
  const { changes } = await restoreFiles(environment, {
    directory: workspace.root,
    point: { kind: "file-mark", n: number },
    sessionId,
    paths: [],
    force: false,
    dryRun: false,
  });
  return { changes: changes.length, takenAt };
}

async function hasTree(git: { executable: string; directory: string }, tree: string): Promise<boolean> {
  try {
    // Walks the whole tree: a pack may have arrived without the ones before it.
    await runGit(git, ["rev-list", "--objects", "--quiet", tree]);
    return true;
  } catch {
    return false;
  }
}

function newestMark(text: string | undefined, sessionId: string): FileMark | undefined {
  const { marks = [] } = JSON.parse(text ?? "{}") as { marks?: FileMark[] };
  return marks.findLast((mark) => mark.sessionId === sessionId);
}
