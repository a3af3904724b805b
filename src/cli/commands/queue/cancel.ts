import { cancelQueued } from "../../../app/queue/change-queue.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "removes a run from the queue for good",
  args: {
    run: { type: "positional", required: true, description: "id, or the start or end of it" },
    fleet: { type: "boolean", description: "a run of the fleet; it ends for good, on whatever machine it is" },
    ...commonArgs,
  },
  examples: [["ai-runtime queue cancel k3f9", "the run never starts"]],
  async run(args, output, { environment }) {
    if (args.fleet === true) {
      const { stopFleet } = await import("../../../app/fleet/fleet-queue.ts");
      const id = await stopFleet(environment, args.run);
      if (output.mode === "json") output.json({ id });
      else output.note(`Canceled run ${id}: it does not continue on any machine.`);
      return;
    }
    const { plan } = await cancelQueued(environment, args.run);
    if (output.mode === "json") output.json({ id: plan.id });
    else output.note(`Canceled run ${plan.id}: it never starts.`);
  },
});
