import { isAbsolutePath } from "../core/absolute-path.ts";
import { servicePaths } from "../core/service-paths.ts";
import type { ServiceRecord } from "../core/service-record.ts";
import { removeFile } from "../io/durable.ts";
import { removeEmptyDirectories } from "../io/durable-remove-directory.ts";
import { parentOf } from "../io/read-file.ts";
import { readServiceLog } from "../store/service-log.ts";
import type { Environment } from "./environment.ts";
import { hostRecords } from "./hosts.ts";
import { serviceHasEnded } from "./service-lock.ts";
import { servicePlaces } from "./service-request.ts";
import { runPathsOf } from "./start-run.ts";

const logOf = (environment: Environment, { system, slug }: ServiceRecord): string =>
  servicePaths(system, slug, servicePlaces(environment)).log;

/** What a service wrote while it ran; returns what was removed. A host that was killed has left its socket too. */
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

/** The directories that only services have, as far as nothing is in them any more. */
export function removeEmptyPlaces(environment: Environment, { system, slug }: ServiceRecord): void {
  const { services } = runPathsOf(environment);
  const { wrapper } = servicePaths(system, slug, servicePlaces(environment));
  for (const directory of [`${services}/replaced`, services, parentOf(wrapper), parentOf(parentOf(wrapper))]) {
    removeEmptyDirectories(directory);
  }
}

/** The newest line of its log, without the time; null when it has none. */
export const lastWords = (environment: Environment, record: ServiceRecord): string | null =>
  readServiceLog(logOf(environment, record), 1)[0]?.replace(/^\S+ /, "") ?? null;
