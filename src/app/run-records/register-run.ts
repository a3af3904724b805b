import type { RunArguments } from "../../claude/argv/run-arguments.ts";
import { Failure } from "../../core/failure.ts";
import { makeRunId } from "../../core/run/run-id.ts";
import { newRun, type RunKind, type RunPlan, type RunRecord } from "../../core/run/run-record.ts";
import { RunFiles } from "../../store/runs/run-files.ts";
import { runDirectory, RunPaths, runRoot } from "../../store/runs/run-paths.ts";
import { registerRun } from "../../store/runs/run-registry.ts";
import type { Environment } from "../environment.ts";
import { isDirectory } from "../../io/files/read-file.ts";
import { identifyProcess } from "../../io/process/process.ts";
import { findClaude } from "../find-claude.ts";
import { messageOf } from "../../core/message-of.ts";

export interface NewRun extends Pick<RunArguments, "flags" | "permissionMode" | "maxBudgetUsd"> {
  readonly kind: RunKind;
  readonly task: string;
  readonly maxWait: number | null;
  /** Set when it waits in the queue: its id, and the time before which it does not start. */
  readonly queued?: { readonly id: string; readonly until: number | null };
  /** Set when this machine does it for the fleet. */
  readonly fleet?: { readonly id: string; readonly sessionId: string };
}

export const runPathsOf = ({ variables, home }: Environment): RunPaths => new RunPaths(runRoot(variables, home));

export const newRunId = ({ now }: Environment): string => makeRunId(now(), Math.random);

/** Writes everything that a resume needs before the run starts. */
export function createRun(environment: Environment, { task, kind, queued, fleet, ...given }: NewRun): RunRecord {
  const { cwd, claudeConfig, variables, now } = environment;
  const created = now();
  const id = queued?.id ?? fleet?.id ?? newRunId(environment);
  const record = newRun({
    id,
    kind,
    task,
    cwd,
    directory: runDirectory(cwd, id),
    sessionId: fleet?.sessionId ?? crypto.randomUUID(),
    claude: findClaude(variables, process.execPath),
    flags: given.flags,
    permissionMode: given.permissionMode,
    claudeConfig,
    created,
    maxWait: given.maxWait,
    maxBudgetUsd: given.maxBudgetUsd,
    ...(fleet ? { isOfFleet: true } : {}),
  });
  // Held by us until its supervisor starts, so that a concurrent recover does not take it for dead.
  const held = { ...record.status, supervisor: identifyProcess(process.pid) ?? null };
  const status = queued ? { ...record.status, phase: "queued" as const, until: queued.until } : held;
  const ours = { ...record, status };
  makeFiles(record.plan);
  registerRun(runPathsOf(environment), ours);
  return ours;
}

function makeFiles({ directory, cwd }: RunPlan): void {
  try {
    new RunFiles(directory).make();
  } catch (error) {
    throw new Failure("failed", messageOf(error), {
      hint: `A run keeps its records in its working directory; start it in a directory where you may write, not in ${cwd}.`,
    });
  }
}

/**
 * The environment of the run, since the process that resumes it may have another CLAUDE_CONFIG_DIR. When that directory no
 * longer exists, as after HOME moved, the present one counts: claude would only recreate the old one, empty.
 */
export function environmentOfRun(environment: Environment, { plan }: RunRecord): Environment {
  if (plan.claudeConfig === environment.claudeConfig || !isDirectory(plan.claudeConfig)) return environment;
  const variables = { ...environment.variables, CLAUDE_CONFIG_DIR: plan.claudeConfig };
  return { ...environment, variables, claudeConfig: plan.claudeConfig };
}
