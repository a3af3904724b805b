import { absolutePath } from "../../core/absolute-path.ts";
import { Failure } from "../../core/failure.ts";
import { matchId } from "../../core/match-id.ts";
import { type InstalledFiles, statusCommand } from "../../core/service/service-plan.ts";
import type { ServiceRecord } from "../../core/service/service-record.ts";
import { parseServiceState, type ServiceState } from "../../core/service/service-state.ts";
import { resolveLinks } from "../../io/files/read-file.ts";
import { runToEnd } from "../../io/process/run-to-end.ts";
import { listServiceRecords } from "../../store/services/services.ts";
import type { Environment } from "../environment.ts";
import { servicePlaces } from "./service-request.ts";
import { runPathsOf } from "../run-records/register-run.ts";

export type { ServiceRecord, ServiceState };

export const listServices = (environment: Environment): ServiceRecord[] =>
  listServiceRecords(runPathsOf(environment).services);

/** By name, name prefix or workspace. Default: the service of this directory, else the only one. */
export function findService(environment: Environment, given: string | undefined): ServiceRecord {
  const all = listServices(environment);
  const path = resolveLinks(absolutePath(given ?? ".", environment.cwd).replace(/\/\.$/, ""));
  const exact = all.find(({ slug, workspace }) => slug === given || workspace === path);
  if (exact) return exact;
  const slugs = all.map(({ slug }) => slug);
  if (given === undefined && all.length > 1) {
    throw new Failure("usage", `there are ${all.length} services`, { hint: `Name one of them: ${slugs.join(", ")}` });
  }
  const match = given === undefined ? slugs[0] : matchId(slugs, given, { kind: "services" });
  const found = all.find(({ slug }) => slug === match);
  if (found) return found;
  throw new Failure("not-found", given === undefined ? "no service is installed" : `no service matches "${given}"`, {
    hint: "ai-runtime service install creates one for a directory; ai-runtime service status lists them.",
  });
}

const statusTimeoutMs = 20_000;

export async function serviceState(environment: Environment, record: InstalledFiles): Promise<ServiceState> {
  const command = statusCommand(record, servicePlaces(environment));
  const { variables } = environment;
  return parseServiceState(record.system, await runToEnd(command, { variables, milliseconds: statusTimeoutMs }));
}
