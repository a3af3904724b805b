import { isAbsolutePath } from "../../core/absolute-path.ts";
import { servicePaths } from "../../core/service/service-paths.ts";
import type { InstalledFiles } from "../../core/service/service-plan.ts";
import type { ServiceRecord } from "../../core/service/service-record.ts";
import { removeFile } from "../../io/durable/durable.ts";
import { removeEmptyDirectories } from "../../io/durable/remove-directory.ts";
import { parentOf } from "../../io/files/read-file.ts";
import { readServiceLog } from "../../store/services/service-log.ts";
import type { Environment } from "../environment.ts";
import { hostRecords } from "../host/registry.ts";
import { serviceHasEnded } from "./service-lock.ts";
import { servicePlaces } from "./service-request.ts";
import { runPathsOf } from "../run-records/register-run.ts";

const logOf = (environment: Environment, { system, slug }: ServiceRecord): string =>
  servicePaths(system, slug, servicePlaces(environment)).log;

/** Removes what a service wrote while it ran, including the socket of a killed host. Returns what was removed. */
export function removeTraces(environment: Environment, record: ServiceRecord): string[] {
  const { slug } = record;
  const log = logOf(environment, record);
  const records = hostRecords(environment);
  const socket = records.read(slug)?.running?.socket;
  if (socket !== undefined && isAbsolutePath(socket)) removeFile(socket);
  records.remove(slug);
  const paths = runPathsOf(environment);
  serviceHasEnded(paths, slug);
  return [log, `${log}.old`, `${paths.services}/${slug}.starts`].filter(removeFile).map((path) => `remove ${path}`);
}

/** Removes the directories that only services use, if they are empty. */
export function removeEmptyDirectoriesOf(environment: Environment, { system, slug }: InstalledFiles): void {
  const { services } = runPathsOf(environment);
  const { wrapper } = servicePaths(system, slug, servicePlaces(environment));
  for (const directory of [`${services}/replaced`, services, parentOf(wrapper), parentOf(parentOf(wrapper))]) {
    removeEmptyDirectories(directory);
  }
}

/** The newest line of the service's log without its time; null when the log is empty. */
export const lastLogLine = (environment: Environment, record: ServiceRecord): string | null =>
  readServiceLog(logOf(environment, record), 1)[0]?.replace(/^\S+ /, "") ?? null;
