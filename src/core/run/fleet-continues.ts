import { Failure } from "../failure.ts";

/** Beside a worker, it would be worked on twice. */
export const fleetContinues = (id: string): Failure =>
  new Failure("usage", `run ${id} belongs to the fleet: a worker continues it`, {
    hint: `Watch it with: ai-runtime attach ${id}`,
  });
