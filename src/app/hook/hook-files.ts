import type { HookPayload } from "../../claude/hooks/hook-payload.ts";
import { withContext } from "../../claude/hooks/session-start.ts";
import type { Settings } from "../../core/settings.ts";
import { GitError } from "../../io/git/run-git.ts";
import type { Environment } from "../environment.ts";
import { markFiles, type MarkRequest } from "../files/mark-files.ts";
import { loadSettings } from "../settings.ts";

interface Occasion {
  /** The mark of the transcript that was just taken. */
  mark: number | null;
  /** The program that is about to run. */
  before: string | null;
  /** The whole command: it may name files of other workspaces. */
  command?: string;
}

let isDone = false;

/** Saves the files once per hook call, whatever the occasions. */
export async function markFilesOnce(environment: Environment, payload: HookPayload, occasion: Occasion): Promise<void> {
  if (isDone || payload.cwd === undefined) return;
  isDone = true;
  const { cwd, sessionId, event: reason } = payload;
  const { command, ...facts } = occasion;
  // Whatever goes wrong with others, the own workspace is marked.
  const others = await findOthers(environment, command, cwd).catch(() => []);
  const marks = [cwd, ...others].map((directory) =>
    markDirectory(environment, { cwd: directory, reason, sessionId, ...facts }),
  );
  const failed = (await Promise.allSettled(marks)).find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}

/** Most commands name nothing outside; only a path could. */
async function findOthers(environment: Environment, command: string | undefined, cwd: string): Promise<string[]> {
  if (command === undefined || !/\.\.|~|\$HOME|\//.test(command)) return [];
  const { findOtherWorkspaces } = await import("../files/other-workspaces.ts");
  return findOtherWorkspaces(environment, command, cwd);
}

async function markDirectory(environment: Environment, asked: Omit<MarkRequest, "lateAfter">): Promise<void> {
  const { settings } = loadSettings(environment);
  // Claude waits at most this long. After that the mark goes on in the background, and is called late.
  const budgetMs = settings["files.waitSeconds"] * 1_000;
  const request: MarkRequest = { ...asked, lateAfter: environment.now() + budgetMs };
  const isSlow = await markNow(environment, settings, request, budgetMs);
  if (isSlow === undefined) return;
  const { startMarkWorker } = await import("../files/mark-worker.ts");
  // The worker outlives this process. A mark that was tried for the whole budget is not waited for again.
  const ended = startMarkWorker(environment, request);
  if (isSlow) await Promise.race([ended, Bun.sleep(budgetMs)]);
}

/** Returns whether a mark that needs a worker is known to be slow, or undefined when none is needed. */
async function markNow(
  environment: Environment,
  settings: Settings,
  request: MarkRequest,
  budgetMs: number,
): Promise<boolean | undefined> {
  try {
    const limits = { lockTimeoutMs: budgetMs, signal: AbortSignal.timeout(budgetMs), isAwaited: true };
    const { kind } = await markFiles(environment, settings, request, limits);
    return kind === "slow" ? true : kind === "busy" ? false : undefined;
  } catch (error) {
    if (error instanceof GitError && error.wasAborted) return false;
    throw error;
  }
}

/** Adds to the answer of a SessionStart which files differ from what the resumed conversation knows. */
export async function tellAboutFiles(
  environment: Environment,
  { sessionId, transcriptPath, cwd }: HookPayload,
  answer: string | undefined,
): Promise<string | undefined> {
  if (cwd === undefined) return answer;
  const { messageAboutFiles } = await import("../files/changed-since.ts");
  const message = await messageAboutFiles(environment, { sessionId, transcriptPath, cwd });
  return message === undefined ? answer : withContext(answer, message);
}
