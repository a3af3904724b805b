import { Failure } from "../core/failure.ts";
import type { ServicePlan } from "../core/service-options.ts";
import { planService } from "../core/service-plan.ts";
import { systemName } from "../io/system.ts";
import type { Environment } from "./environment.ts";
import { serviceOptions, type ServiceRequest } from "./service-request.ts";

export interface PlannedService {
  readonly slug: string;
  readonly plan: ServicePlan;
}

/** What install would do, without doing any of it. */
export function plannedService(environment: Environment, request: ServiceRequest): PlannedService {
  const options = serviceOptions(environment, request);
  const { slug, system } = options;
  const plan = planService(options);
  if (system === systemName) return { slug, plan };
  const note = `Planned for another system than this one: the paths are this machine's.`;
  return { slug, plan: { ...plan, notes: [note, ...plan.notes] } };
}

/** Nothing is installed that could not start. */
export function requireClaude(environment: Environment, request: ServiceRequest): void {
  if (serviceOptions(environment, request).claude !== null) return;
  throw new Failure("no-claude", "claude is not on PATH", {
    hint: "Install it with: npm install -g @anthropic-ai/claude-code (or set CCLAUDE_CLAUDE_BIN to its path).",
  });
}
