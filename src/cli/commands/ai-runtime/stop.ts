import type { Environment } from "../../../app/environment.ts";
import { hasHub } from "../../../app/hub/has-hub.ts";
import { runPathsOf } from "../../../app/run-records/register-run.ts";
import { stopRun } from "../../../app/run-records/stop-run.ts";
import { orFleet } from "../../run-view/follow-fleet.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "stops a run permanently; a stopped run is never resumed",
  args: {
    run: {
      type: "positional",
      required: false,
      description: "id, or the start or end of it; default: the only active run",
    },
    ...commonArgs,
  },
  examples: [["ai-runtime stop k3f9", "asks claude to end, and kills it after ten seconds"]],
  async run(args, output, { environment }) {
    const { run } = args;
    const stopped = await orFleet<Awaited<ReturnType<typeof stopRun>> | string>(
      () => stopRun(environment, runPathsOf(environment), run),
      async () => (run === undefined ? undefined : stopInFleet(environment, run)),
    );
    if (typeof stopped === "string") {
      if (output.mode === "json") output.json({ id: stopped, state: "stopped" });
      else output.success(`Stopped run ${stopped} of the fleet: no machine continues it.`);
      return;
    }
    const { plan, status } = stopped;
    if (output.mode === "json") output.json({ id: plan.id, state: status.phase });
    else if (status.phase === "stopped") output.success(`Stopped run ${plan.id}.`);
    else output.note(`Run ${plan.id} has already ended (${status.phase}).`);
  },
});

/** Undefined when this machine has no hub: the run is then simply not found. */
async function stopInFleet(environment: Environment, run: string): Promise<string | undefined> {
  if (!hasHub(process.env)) return undefined;
  return (await import("../../../app/fleet/fleet-queue.ts")).stopFleet(environment, run);
}
