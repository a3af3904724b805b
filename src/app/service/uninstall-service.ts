import { Failure } from "../../core/failure.ts";
import { servicePaths } from "../../core/service/service-paths.ts";
import { planRemoval } from "../../core/service/service-plan.ts";
import { systemdAdvice } from "../../core/service/service-systemd.ts";
import { userId } from "../../io/system.ts";
import { removeFile } from "../../io/durable/durable.ts";
import type { Environment } from "../environment.ts";
import { tryCommand } from "./service-commands.ts";
import { removeCopies, removeWritten } from "./service-files.ts";
import { serviceHasEnded, withServiceLock } from "./service-lock.ts";
import { servicePlaces } from "./service-request.ts";
import { removeEmptyDirectoriesOf, removeTraces } from "./service-traces.ts";
import { findService, type ServiceRecord, serviceState } from "./services.ts";
import { runPathsOf } from "../run-records/register-run.ts";

export interface RemovedService {
  readonly slug: string;
  readonly changes: readonly string[];
  /** Copies of files that the user wrote or changed. */
  readonly kept: readonly string[];
}

/** Stops a service and removes all its files. Removes the record last, so an interrupted uninstall can be repeated. */
export function uninstallService(environment: Environment, given: string | undefined): Promise<RemovedService> {
  const record = findService(environment, given);
  return withServiceLock(runPathsOf(environment), record.slug, () => remove(environment, record));
}

async function remove(environment: Environment, record: ServiceRecord): Promise<RemovedService> {
  const { slug } = record;
  const places = servicePlaces(environment);
  const plan = planRemoval(record, places);
  const changes = await stop(environment, record, plan.stop);
  const paths = runPathsOf(environment);
  const keep = { directory: `${paths.services}/replaced/${slug}`, now: environment.now() };
  for (const file of plan.files) {
    const { change } = removeWritten(file, keep);
    if (change !== undefined) changes.push(change);
  }
  for (const command of plan.forget) await tryCommand(environment, command);
  const own = servicePaths(record.system, slug, places);
  const kept = removeCopies(keep.directory);
  changes.push(...removeTraces(environment, record));
  if (removeFile(own.record)) changes.push(`remove ${own.record}`);
  removeEmptyDirectoriesOf(environment, record);
  return { slug, changes, kept };
}

function explain(problems: readonly string[]): string[] {
  const advice = problems.map((problem) => systemdAdvice(problem, userId())).find((text) => text !== undefined);
  return [...problems, ...(advice === undefined ? [] : [advice])];
}

async function stop(
  environment: Environment,
  record: ServiceRecord,
  commands: readonly (readonly string[])[],
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
  const hasEnded = serviceHasEnded(runPathsOf(environment), record.slug);
  // When the system's answer is not understood, successful commands are enough.
  if (hasEnded && (isDown || (state === "unknown" && problems.length === 0))) return changes;
  throw new Failure("failed", `service ${record.slug} did not stop; nothing was removed`, {
    hint: problems.length > 0 ? explain(problems).join("\n") : "Try again in a moment.",
  });
}
