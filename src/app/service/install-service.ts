import { Failure } from "../../core/failure.ts";
import { planRemoval, planService } from "../../core/service/service-plan.ts";
import { parseServiceRecord, type ServiceRecord } from "../../core/service/service-record.ts";
import type { ServicePlan } from "../../core/service/service-options.ts";
import { removeFile } from "../../io/durable/durable.ts";
import { readServiceRecord } from "../../store/services/services.ts";
import type { Environment } from "../environment.ts";
import { requireClaude } from "./plan-service.ts";
import { Installation, isInPlace, type PlannedInstall } from "./carry-out-plan.ts";
import { withServiceLock } from "./service-lock.ts";
import { lastLogLine, removeEmptyDirectoriesOf, removeTraces } from "./service-traces.ts";
import { servicePlaces, serviceOptions, type ServiceRequest } from "./service-request.ts";
import { serviceState, type ServiceState } from "./services.ts";
import { runPathsOf } from "../run-records/register-run.ts";

export interface InstalledService {
  readonly slug: string;
  readonly workspace: string;
  /** Empty when the service was already installed and running. */
  readonly changes: readonly string[];
  /** Copies of replaced files. */
  readonly kept: readonly string[];
  readonly notes: readonly string[];
  readonly state: ServiceState;
}

/** Carries out the plan step by step. When a step fails, undoes the earlier steps. */
export async function installService(environment: Environment, request: ServiceRequest): Promise<InstalledService> {
  requireClaude(environment, request);
  const options = serviceOptions(environment, request);
  const { slug, workspace } = options;
  const plan = planService(options);
  const paths = runPathsOf(environment);
  return withServiceLock(paths, slug, async () => {
    const before = readServiceRecord(paths.services, slug);
    if (before && isInPlace(plan)) {
      const state = await serviceState(environment, before);
      if (isUp(state)) return { slug, workspace, changes: [], kept: [], notes: plan.notes, state };
    }
    const installation = new Installation(environment, plannedInstall(environment, plan, before));
    const state = await installation.run();
    const { changes, kept } = installation;
    return { slug, workspace, changes, kept, notes: plan.notes, state };
  });
}

const isUp = ({ state }: ServiceState): boolean => ["running", "starting", "restarting"].includes(state);

function plannedInstall(
  environment: Environment,
  plan: ServicePlan,
  before: ServiceRecord | undefined,
): PlannedInstall<ServiceState> {
  const record = parseServiceRecord(plan.files[0]?.content ?? "");
  if (!record) throw new Error("the first file of a plan must be the service's record");
  return {
    what: "the service",
    slug: record.slug,
    plan,
    before,
    removal: planRemoval(record, servicePlaces(environment)),
    prepare() {
      // An install resets the count of starts.
      removeFile(`${runPathsOf(environment).services}/${record.slug}.starts`);
      return undefined;
    },
    async verify() {
      const state = await serviceState(environment, record);
      // Without the wrapper, claude may already have finished its work and ended.
      const isFine = isUp(state) || (!record.resume && state.state === "stopped") || state.state === "unknown";
      if (isFine) return state;
      throw new Failure("failed", `its state is "${state.state}" right after the start`);
    },
    explain: () => lastLogLine(environment, record),
    removeTraces: () => void removeTraces(environment, record),
    removeEmptyDirectories: () => removeEmptyDirectoriesOf(environment, record),
  };
}
