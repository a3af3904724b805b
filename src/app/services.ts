import { absolutePath } from "../core/absolute-path.ts";
import { Failure } from "../core/failure.ts";
import { statusCommand } from "../core/service-plan.ts";
import type { ServiceRecord } from "../core/service-record.ts";
import { parseServiceState, type ServiceState } from "../core/service-state.ts";
import { resolveLinks } from "../io/read-file.ts";
import { runToEnd } from "../io/run-to-end.ts";
import { listServiceRecords } from "../store/services.ts";
import type { Environment } from "./environment.ts";
import { servicePlaces } from "./service-request.ts";
import { runPathsOf } from "./start-run.ts";

export type { ServiceRecord, ServiceState };

export const listServices = (environment: Environment): ServiceRecord[] =>
  listServiceRecords(runPathsOf(environment).services);

/** By its name, the beginning of it, or its workspace; unsaid, the one of this directory, else the only one. */
export function findService(environment: Environment, given: string | undefined): ServiceRecord {
  const all = listServices(environment);
  const path = resolveLinks(absolutePath(given ?? ".", environment.cwd).replace(/\/\.$/, ""));
  const exact = all.find(({ slug, workspace }) => slug === given || workspace === path);
  if (exact) return exact;
  const matches = given === undefined ? all : all.filter(({ slug }) => slug.startsWith(given));
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  if (only !== undefined) {
    throw new Failure(
      "usage",
      `${given === undefined ? "there are" : `"${given}" may mean`} ${matches.length} services`,
      {
        hint: `Say which one: ${matches.map(({ slug }) => slug).join(", ")}`,
      },
    );
  }
  throw new Failure("not-found", given === undefined ? "no service is installed" : `there is no service "${given}"`, {
    hint: "ai-runtime service install makes one for a directory; ai-runtime service status lists them.",
  });
}

const patience = 20_000;

export async function serviceState(environment: Environment, record: ServiceRecord): Promise<ServiceState> {
  const command = statusCommand(record, servicePlaces(environment));
  const { variables } = environment;
  return parseServiceState(record.system, await runToEnd(command, { variables, milliseconds: patience }));
}
