import type { FileMark } from "../../core/files/file-mark.ts";
import { Failure } from "../../core/failure.ts";
import type { Settings } from "../../core/settings.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import { lockWithin, lockOrFail } from "../../store/lock.ts";
import { treeLock } from "../../store/trees/tree-paths.ts";
import { addMark, capture, type FileMarkFacts, openTrees, type OpenTrees } from "../../store/trees/tree-marks.ts";
import type { TreeRecord } from "../../store/trees/tree-record.ts";
import type { Environment } from "../environment.ts";
import { captureOptions, findWorkspace, type NoWorkspace, type Workspace } from "./workspace.ts";

export interface MarkRequest extends Omit<FileMarkFacts, "time" | "late"> {
  /** Claude's working directory. */
  cwd: string;
  /** A capture that ends later than this is late: Claude did not wait for it. */
  lateAfter: number;
}

interface MarkLimits {
  lockTimeoutMs: number;
  signal: AbortSignal;
  /** Claude waits for it: a mark that is known to take long is left to a worker. */
  isAwaited?: boolean;
  onLocked?: () => void;
}

export type MarkOutcome =
  | { kind: "marked"; mark: FileMark }
  | { kind: "unchanged" }
  | { kind: "busy" }
  | { kind: "slow" }
  | { kind: "none"; why: NoWorkspace["why"] };

/** Saves the present state of the files, if it differs from the newest mark. */
export async function markFiles(
  environment: Environment,
  settings: Settings,
  { cwd, lateAfter, ...facts }: MarkRequest,
  { lockTimeoutMs, signal, isAwaited = false, onLocked }: MarkLimits,
): Promise<MarkOutcome> {
  const workspace = findWorkspace(environment, settings, cwd);
  if ("why" in workspace) return { kind: "none", why: workspace.why };
  const { paths, now } = environment;
  makeDirectory(paths.locks);
  const time = now();
  const lock = await lockWithin(treeLock(paths, workspace.root), lockTimeoutMs);
  if (!lock) return { kind: "busy" };
  onLocked?.();
  try {
    const git = { ...workspace.git, signal, isAwaited };
    const trees = openTrees(git, workspace.root);
    if (isAwaited && isSlow(trees.record)) return { kind: "slow" };
    await capture(trees, captureOptions(environment, settings, workspace));
    const mark = await addMark(trees, { ...facts, time, late: now() > lateAfter }, now);
    return mark ? { kind: "marked", mark } : { kind: "unchanged" };
  } finally {
    lock.release();
  }
}

/** A workspace whose last mark took this long is marked by a worker from the start, so that nothing is done twice. */
const slowMs = 700;

/** The first mark is slow, too. */
const isSlow = ({ count, tookMs }: TreeRecord): boolean => count === 0 || tookMs > slowMs;

const commandLockTimeoutMs = 10_000;

/** For a command of the user: runs the work while no other process marks or restores this workspace. */
export async function withTrees<Result>(
  { paths }: Environment,
  { root, git }: Workspace,
  work: (trees: OpenTrees) => Promise<Result>,
): Promise<Result> {
  makeDirectory(paths.locks);
  const lock = lockOrFail(
    await lockWithin(treeLock(paths, root), commandLockTimeoutMs),
    `another process is saving or restoring the files of ${root}`,
  );
  try {
    return await work(openTrees(git, root));
  } finally {
    lock.release();
  }
}

/** The present state as a mark: a new one, or the newest when nothing has changed since. */
export async function markPresent(
  environment: Environment,
  settings: Settings,
  workspace: Workspace,
  trees: OpenTrees,
  reason: string,
): Promise<FileMark> {
  await capture(trees, captureOptions(environment, settings, workspace));
  const facts = { time: environment.now(), reason, sessionId: null, mark: null, before: null, late: false };
  const mark = (await addMark(trees, facts, environment.now)) ?? trees.record.marks.at(-1);
  if (!mark) throw new Failure("not-found", `${workspace.root} has no files`);
  return mark;
}
