import { type ChangeKind, isMeant, kindOfChange, type LineCounts } from "../../core/files/file-change.ts";
import type { FileMark } from "../../core/files/file-mark.ts";
import { Failure } from "../../core/failure.ts";
import { textOfBytes } from "../../io/files/byte-path.ts";
import { compareTrees, countChangedLines, readPatch } from "../../store/trees/read-trees.ts";
import { capture, type OpenTrees } from "../../store/trees/tree-marks.ts";
import type { Environment } from "../environment.ts";
import { newestSnapshotHere } from "../session/choose-session.ts";
import { loadSettings } from "../settings.ts";
import { type FilePoint, fileMarkAt } from "./choose-file-mark.ts";
import { withTrees } from "./mark-files.ts";
import { captureOptions, requireWorkspace } from "./workspace.ts";

export interface DiffRequest {
  directory: string;
  sessionId: string | undefined;
  /** Default: the first mark of the session. */
  from: FilePoint | undefined;
  /** Default: the present state. */
  to: FilePoint | undefined;
  paths: readonly string[];
  withPatch: boolean;
}

export interface ChangedFile extends LineCounts {
  path: string;
  kind: ChangeKind;
  isBinary: boolean;
}

export interface FileDifference {
  workspace: string;
  from: FileMark;
  /** Null: the present state. */
  to: FileMark | null;
  files: ChangedFile[];
  patch: Buffer;
  /** The marks in between that changed one of these files: which step did what. */
  steps: FileMark[];
}

/** What differs in the files between two points, or between one and now. */
export async function diffFiles(environment: Environment, request: DiffRequest): Promise<FileDifference> {
  const { settings } = loadSettings(environment);
  const workspace = requireWorkspace(environment, settings, request.directory);
  return withTrees(environment, workspace, async (trees) => {
    const { git, record } = trees;
    if (record.marks.length === 0) throw new Failure("not-found", `there is no file mark of ${workspace.root} yet`);
    const sessionId = request.sessionId ?? newestSnapshotHere(environment, request.directory);
    const context = { environment, record, sessionId, directory: request.directory };
    const from = request.from ? fileMarkAt(context, request.from) : firstOf(trees, sessionId);
    const to = request.to ? fileMarkAt(context, request.to) : null;
    const tree = to ? to.tree : (await capture(trees, captureOptions(environment, settings, workspace))).tree;
    const [changes, [counts = []], patch] = await Promise.all([
      compareTrees(git, from.tree, tree),
      countChangedLines(git, [[from.tree, tree]]),
      request.withPatch ? readPatch(git, from.tree, tree, request.paths) : Buffer.alloc(0),
    ]);
    const counted = new Map(counts.map((each) => [each.path, each]));
    const files = changes
      .filter(({ path }) => isMeant(path, request.paths))
      .map((change): ChangedFile => {
        const { added = 0, removed = 0, isBinary = false } = counted.get(change.path) ?? {};
        return { path: textOfBytes(change.path), kind: kindOfChange(change), added, removed, isBinary };
      });
    const steps = record.marks.filter(({ n }) => n > from.n && n <= (to?.n ?? Infinity));
    return { workspace: workspace.root, from, to, files, patch, steps };
  });
}

function firstOf({ record }: OpenTrees, sessionId: string | undefined): FileMark {
  const first = record.marks.find((mark) => mark.sessionId === sessionId) ?? record.marks[0];
  if (!first) throw new Failure("not-found", `there is no file mark of ${record.workspace} yet`);
  return first;
}
