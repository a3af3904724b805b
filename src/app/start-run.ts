import type { RunArguments } from "../claude/run-arguments.ts";
import { Failure } from "../core/failure.ts";
import { makeRunId } from "../core/run-id.ts";
import { newRun, type RunKind, type RunPlan, type RunRecord } from "../core/run-record.ts";
import { RunFiles } from "../store/run-files.ts";
import { runDirectory, RunPaths, runRoot } from "../store/run-paths.ts";
import { registerRun } from "../store/run-registry.ts";
import type { Environment } from "./environment.ts";
import { identifyProcess } from "../io/process.ts";
import { findClaude } from "./find-claude.ts";

export interface NewRun extends Pick<RunArguments, "flags" | "permissionMode" | "maxBudgetUsd"> {
  readonly kind: RunKind;
  readonly task: string;
  readonly maxWait: number | null;
}

export const runPathsOf = ({ variables, home }: Environment): RunPaths => new RunPaths(runRoot(variables, home));

/** Puts everything that is needed to go on with a run on disk, before anything of it happens. */
export function createRun(environment: Environment, { task, kind, ...given }: NewRun): RunRecord {
  const { cwd, claudeConfig, variables, now } = environment;
  const created = now();
  const id = makeRunId(created, Math.random);
  const record = newRun({
    id,
    kind,
    task,
    cwd,
    directory: runDirectory(cwd, id),
    sessionId: crypto.randomUUID(),
    claude: findClaude(variables, process.execPath),
    flags: given.flags,
    permissionMode: given.permissionMode,
    claudeConfig,
    created,
    maxWait: given.maxWait,
    maxBudgetUsd: given.maxBudgetUsd,
  });
  // Ours until somebody takes it up: a recover that looks at this moment must not think that it has died.
  const status = { ...record.status, supervisor: identifyProcess(process.pid) ?? null };
  const ours = { ...record, status };
  makeFiles(record.plan);
  registerRun(runPathsOf(environment), ours);
  return ours;
}

function makeFiles({ directory, cwd }: RunPlan): void {
  try {
    new RunFiles(directory).make();
  } catch (error) {
    throw new Failure("failed", error instanceof Error ? error.message : String(error), {
      hint: `A run keeps its records in the directory it works in: start it where you may write, not in ${cwd}.`,
    });
  }
}

/** The world as the run knew it: whoever resumes it may have another Claude directory. */
export function environmentOfRun(environment: Environment, { plan }: RunRecord): Environment {
  if (plan.claudeConfig === environment.claudeConfig) return environment;
  const variables = { ...environment.variables, CLAUDE_CONFIG_DIR: plan.claudeConfig };
  return { ...environment, variables, claudeConfig: plan.claudeConfig };
}
