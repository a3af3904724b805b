import type { HookPayload } from "../../claude/hooks/hook-payload.ts";
import { withContext } from "../../claude/hooks/session-start.ts";
import { GitError } from "../../io/git/run-git.ts";
import { readRecord } from "../../store/trees/tree-record.ts";
import type { Environment } from "../environment.ts";
import { messageAboutFiles } from "../files/changed-since.ts";
import { markFiles, type MarkRequest } from "../files/mark-files.ts";
import { startMarkWorker } from "../files/mark-worker.ts";
import { findWorkspace } from "../files/workspace.ts";
import { loadSettings } from "../settings.ts";

/** A workspace whose last mark took this long is marked by a worker from the start. */
const slowMs = 700;

interface Occasion {
  /** The mark of the transcript that was just taken. */
  mark: number | null;
  /** The program that is about to run. */
  before: string | null;
}

let isDone = false;

/** Saves the files once per hook call, whatever the occasions. */
export async function markFilesOnce(environment: Environment, payload: HookPayload, occasion: Occasion): Promise<void> {
  if (isDone || payload.cwd === undefined) return;
  isDone = true;
  const { settings } = loadSettings(environment);
  const workspace = findWorkspace(environment, settings, payload.cwd);
  if ("why" in workspace) return;
  const { sessionId, event: reason, cwd } = payload;
  // Claude waits at most this long. After that the mark goes on in the background, and is called late.
  const budgetMs = settings["files.waitSeconds"] * 1_000;
  const lateAfter = environment.now() + budgetMs;
  const request: MarkRequest = { cwd, reason, sessionId, ...occasion, lateAfter };
  const record = readRecord(workspace.git.directory);
  const isSlow = record === undefined || record === "damaged" || record.tookMs > slowMs;
  if (isSlow) {
    await Promise.race([startMarkWorker(environment, request), Bun.sleep(budgetMs)]);
    return;
  }
  const signal = AbortSignal.timeout(budgetMs);
  try {
    const { kind } = await markFiles(environment, settings, request, {
      lockTimeoutMs: budgetMs,
      signal,
      isAwaited: true,
    });
    if (kind !== "busy") return;
  } catch (error) {
    if (!(error instanceof GitError && error.wasAborted)) throw error;
  }
  // The worker outlives this process; it needs no wait.
  void startMarkWorker(environment, request);
}

/** Adds to the answer of a SessionStart which files differ from what the resumed conversation knows. */
export async function tellAboutFiles(
  environment: Environment,
  { sessionId, transcriptPath, cwd }: HookPayload,
  answer: string | undefined,
): Promise<string | undefined> {
  if (cwd === undefined) return answer;
  const message = await messageAboutFiles(environment, { sessionId, transcriptPath, cwd });
  return message === undefined ? answer : withContext(answer, message);
}
