import { messageOf } from "../../core/message-of.ts";
import type { Variables } from "../../core/variables.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import { startDetached } from "../../io/process/start-detached.ts";
import { tryLock } from "../../store/lock.ts";
import { treeLock } from "../../store/trees/tree-paths.ts";
import { currentEnvironment, type Environment } from "../environment.ts";
import { ownExecutable, sessionSnapshotCommand } from "../own-executable.ts";
import { logProblem } from "../program-log.ts";
import { loadSettings } from "../settings.ts";
import { markFiles, type MarkRequest } from "./mark-files.ts";
import { recordOrigin } from "./record-origin.ts";
import { findWorkspace } from "./workspace.ts";

/** A worker may wait for a first mark of a large project. */
const workerLockTimeoutMs = 120_000;
/** A git that hangs, as on a pipe named .gitignore, must not keep the lock forever. */
const workerTimeoutMs = 3_600_000;

/** Starts a process that takes a mark and outlives the hook. The promise ends with it. */
export function startMarkWorker({ paths, variables }: Environment, request: MarkRequest): Promise<unknown> {
  makeDirectory(paths.locks);
  const words = [...sessionSnapshotCommand(ownExecutable()), "mark-files", JSON.stringify(request)];
  return startDetached(words, variables, paths.root);
}

/** The worker itself. The request comes from our own hook. */
export async function runMarkWorker(variables: Variables, text: string): Promise<void> {
  const environment = currentEnvironment(variables);
  try {
    const request = JSON.parse(text) as MarkRequest;
    const { settings } = loadSettings(environment);
    const workspace = findWorkspace(environment, settings, request.cwd);
    if ("why" in workspace) return;
    const { paths } = environment;
    makeDirectory(paths.locks);
    // One worker waits at a time: the state that it finds is newer than what a second one would be about.
    const waiter = tryLock(`${treeLock(paths, workspace.root)}.waiter`);
    if (!waiter) return;
    await markFiles(environment, settings, request, {
      lockTimeoutMs: workerLockTimeoutMs,
      signal: AbortSignal.timeout(workerTimeoutMs),
      onLocked: () => waiter.release(),
    });
    await recordOrigin(environment, workspace);
  } catch (error) {
    logProblem(environment, `file mark: ${messageOf(error)}`);
  }
}
