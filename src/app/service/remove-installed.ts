import { Failure } from "../../core/failure.ts";
import { servicePaths } from "../../core/service/service-paths.ts";
import { type InstalledFiles, planRemoval } from "../../core/service/service-plan.ts";
import { systemdAdvice } from "../../core/service/service-systemd.ts";
import { userId } from "../../io/system.ts";
import { removeFile } from "../../io/durable/durable.ts";
import type { Environment } from "../environment.ts";
import { tryCommand } from "./service-commands.ts";
import { removeCopies, removeWritten } from "./service-files.ts";
import { servicePlaces } from "./service-request.ts";
import { removeEmptyDirectoriesOf } from "./service-traces.ts";
import { serviceState } from "./services.ts";
import { runPathsOf } from "../run-records/register-run.ts";

export interface Removed {
  readonly changes: readonly string[];
  /** Copies of files that the user wrote or changed. */
  readonly kept: readonly string[];
}

/** What differs between a service and the start at login. */
export interface Removal {
  /** "service shop-1234": for the message of a failure. */
  readonly what: string;
  /** No process of it lives, whatever the system says. */
  hasEnded(): boolean;
  /** Removes what it wrote while it ran; returns what was removed. */
  removeTraces(): string[];
}

/** Stops it and removes all its files. Removes the record last, so an interrupted removal can be repeated. */
export async function removeInstalled(
  environment: Environment,
  record: InstalledFiles,
  removal: Removal,
): Promise<Removed> {
  const { slug } = record;
  const places = servicePlaces(environment);
  const plan = planRemoval(record, places);
  const changes = await stop(environment, record, plan.stop, removal);
  const paths = runPathsOf(environment);
  const keep = { directory: `${paths.services}/replaced/${slug}`, now: environment.now() };
  for (const file of plan.files) {
    const { change } = removeWritten(file, keep);
    if (change !== undefined) changes.push(change);
  }
  for (const command of plan.forget) await tryCommand(environment, command);
  const own = servicePaths(record.system, slug, places);
  const kept = removeCopies(keep.directory);
  changes.push(...removal.removeTraces());
  if (removeFile(own.record)) changes.push(`remove ${own.record}`);
  removeEmptyDirectoriesOf(environment, record);
  return { changes, kept };
}

function explain(problems: readonly string[]): string[] {
  const advice = problems.map((problem) => systemdAdvice(problem, userId())).find((text) => text !== undefined);
  return [...problems, ...(advice === undefined ? [] : [advice])];
}

async function stop(
  environment: Environment,
  record: InstalledFiles,
  commands: readonly (readonly string[])[],
  { what, hasEnded }: Removal,
): Promise<string[]> {
  const changes: string[] = [];
  const problems: string[] = [];
  for (const command of commands) {
    const problem = await tryCommand(environment, command);
    if (problem === undefined) changes.push(`run ${command.join(" ")}`);
    else problems.push(problem);
  }
  const { state } = await serviceState(environment, record);
  const isDown = state === "missing" || state === "stopped" || state === "failed";
  // When the system's answer is not understood, successful commands are enough.
  if (hasEnded() && (isDown || (state === "unknown" && problems.length === 0))) return changes;
  throw new Failure("failed", `${what} did not stop; nothing was removed`, {
    hint: problems.length > 0 ? explain(problems).join("\n") : "Try again in a moment.",
  });
}
