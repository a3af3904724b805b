import { Failure } from "../../core/failure.ts";
import { servicePaths } from "../../core/service/service-paths.ts";
import { readServiceLog } from "../../store/services/service-log.ts";
import type { Environment } from "../environment.ts";
import { servicePlaces } from "./service-request.ts";
import { findService, listServices, type ServiceRecord, type ServiceState, serviceState } from "./services.ts";

function serviceLogPath(environment: Environment, { system, slug }: ServiceRecord): string {
  return servicePaths(system, slug, servicePlaces(environment)).log;
}

export function serviceLogs(environment: Environment, given: string | undefined, lines: string): string[] {
  if (!/^\d{1,6}$/.test(lines)) throw new Failure("usage", `option --lines must be a whole number (got "${lines}")`);
  return readServiceLog(serviceLogPath(environment, findService(environment, given)), Number(lines));
}

export interface ServiceReport {
  readonly record: ServiceRecord;
  readonly state: ServiceState;
  readonly log: string;
  /** The newest line of the log. */
  readonly last: string | null;
}

export function serviceReports(environment: Environment, given: string | undefined): Promise<ServiceReport[]> {
  const records = given === undefined ? listServices(environment) : [findService(environment, given)];
  return Promise.all(
    records.map(async (record) => {
      const log = serviceLogPath(environment, record);
      return { record, state: await serviceState(environment, record), log, last: readServiceLog(log, 1)[0] ?? null };
    }),
  );
}
