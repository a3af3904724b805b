import { type LogPart, offeredModes } from "../../core/dashboard/contract.ts";
import { isAbsolutePath } from "../../core/absolute-path.ts";
import { Failure } from "../../core/failure.ts";
import { quotePosixWords } from "../../core/posix-quote.ts";
import { isDirectory } from "../../io/files/read-file.ts";
import type { Environment } from "../environment.ts";
import { restartHosted } from "../host/detachable.ts";
import { detachRun } from "../run/detach-run.ts";
import { chooseRunToResume } from "../run/resume-run.ts";
import { readRunWords } from "../run/run-request.ts";
import { adoptSession } from "../run-records/adopt-session.ts";
import { findRun } from "../run-records/find-run.ts";
import { createRun, runPathsOf } from "../run-records/register-run.ts";
import { readRunLog, whyNoLog } from "../run-records/run-log.ts";
import { stopRun } from "../run-records/stop-run.ts";

export interface RunWish {
  readonly task: string;
  readonly directory: string;
  readonly permissionMode: string;
}

export interface StartedRun {
  readonly id: string;
  /** The command line that does the same. */
  readonly command: string;
}

/** Starts a run in the background, as `ai-runtime run --detach` does in that directory. */
export async function startRun(environment: Environment, wish: RunWish): Promise<StartedRun> {
  const { task, directory, permissionMode } = wish;
  if (task.trim() === "") throw new Failure("usage", "no task given");
  if (!isAbsolutePath(directory) || !isDirectory(directory)) {
    throw new Failure("usage", `${directory || "the directory"} is not a directory on this machine`);
  }
  if (!offeredModes.some((mode) => mode === permissionMode)) {
    throw new Failure("usage", `the permission mode must be one of ${offeredModes.join(", ")}`);
  }
  const there = { ...environment, cwd: directory };
  const modeWords = permissionMode === "default" ? [] : ["--permission-mode", permissionMode];
  const { flags, permissionMode: mode, maxBudgetUsd, maxWait } = readRunWords([...modeWords, "--", task]);
  const record = createRun(there, { kind: "headless", task, flags, permissionMode: mode, maxBudgetUsd, maxWait });
  await detachRun(there, runPathsOf(there), record);
  return { id: record.plan.id, command: quotePosixWords(["ai-runtime", "run", ...modeWords, "--detach", "--", task]) };
}

export async function stopRunById(environment: Environment, id: string): Promise<{ readonly state: string }> {
  const { status } = await stopRun(environment, runPathsOf(environment), id);
  return { state: status.phase };
}

/** Resumes in the background, with the permissions of the first start. */
export async function resumeRunById(environment: Environment, id: string): Promise<{ readonly id: string }> {
  const paths = runPathsOf(environment);
  const record = await adoptSession(environment, paths, chooseRunToResume(paths, id, environment.cwd));
  if (record.plan.kind === "interactive") await restartHosted(environment, record);
  else await detachRun(environment, paths, record);
  return { id: record.plan.id };
}

/** The output of a run from an offset on; without one, its end. */
export function runLog(environment: Environment, id: string, from: number): LogPart {
  const record = findRun(runPathsOf(environment), id, environment.cwd);
  const why = whyNoLog(record);
  if (why) throw why;
  return readRunLog(record, from) ?? { text: "", end: from };
}
