import { Failure } from "../../core/failure.ts";
import {
  baseBinding,
  type FleetOutcome,
  type FleetTask,
  isFleetOutcome,
  isFleetTask,
  outcomeBinding,
  taskBinding,
} from "../../core/fleet/fleet-run.ts";
import type { FleetRow } from "../../hub/fleet-runs.ts";
import type { Sealer } from "../../io/seal/seal.ts";

// What the database holds of a run without being able to read it.

const encode = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

export const sealTask = (sealer: Sealer, run: string, task: FleetTask): Buffer =>
  sealer.seal(encode(task), taskBinding(run));

/** Refuses a task that no machine of this hub wrote. */
export function openTask(sealer: Sealer, { id, task }: Pick<FleetRow, "id" | "task">): FleetTask {
  const value = parse(sealer.open(task, taskBinding(id)));
  if (isFleetTask(value)) return value as FleetTask;
  throw new Failure("corrupt", `the task of run ${id} is not what a machine of this hub wrote`, {
    hint: "It was changed in the database, or a newer ai-runtime wrote it.",
  });
}

export const sealBase = (sealer: Sealer, run: string, base: string): Buffer =>
  sealer.seal(new TextEncoder().encode(base), baseBinding(run));

export function openBase(sealer: Sealer, { id, base }: Pick<FleetRow, "id" | "base">): string | null {
  return base === null ? null : (sealer.open(base, baseBinding(id))?.toString() ?? null);
}

export const sealOutcome = (sealer: Sealer, run: string, fence: number, outcome: FleetOutcome): Buffer =>
  sealer.seal(encode(outcome), outcomeBinding(run, fence));

/** Undefined without one, or when it is of another state than this one. */
export function openOutcome(
  sealer: Sealer,
  { id, fence, outcome }: Pick<FleetRow, "id" | "fence" | "outcome">,
): FleetOutcome | undefined {
  const value = outcome === null ? undefined : parse(sealer.open(outcome, outcomeBinding(id, fence)));
  return isFleetOutcome(value) ? (value as FleetOutcome) : undefined;
}

function parse(opened: Buffer | undefined): unknown {
  return opened === undefined ? undefined : JSON.parse(opened.toString());
}
