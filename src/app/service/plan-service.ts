import { Failure } from "../../core/failure.ts";
import type { ServicePlan } from "../../core/service/service-options.ts";
import { planService } from "../../core/service/service-plan.ts";
import { systemName } from "../../io/system.ts";
import type { Environment } from "../environment.ts";
import { serviceOptions, type ServiceRequest } from "./service-request.ts";

export interface PlannedService {
  readonly slug: string;
  readonly plan: ServicePlan;
}

/** What install would do; changes nothing. */
export function plannedService(environment: Environment, request: ServiceRequest): PlannedService {
  const options = serviceOptions(environment, request);
  const { slug, system } = options;
  const plan = planService(options);
  if (system === systemName) return { slug, plan };
  const note = "This plan is for another operating system, but uses the paths of this machine.";
  return { slug, plan: { ...plan, notes: [note, ...plan.notes] } };
}

/** Refuses to install a service that could not start. */
export function requireClaude(environment: Environment, request: ServiceRequest): void {
  if (serviceOptions(environment, request).claude !== null) return;
  throw new Failure("no-claude", "claude is not on PATH", {
    hint: "Install it with: npm install -g @anthropic-ai/claude-code (or set CCLAUDE_CLAUDE_BIN to its path).",
  });
}
