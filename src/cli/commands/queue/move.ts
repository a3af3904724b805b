import { moveQueued } from "../../../app/queue/change-queue.ts";
import { Failure } from "../../../core/failure.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "changes when the turn of a queued run comes",
  details: `At a new place, a run also gets the priority of the run whose place it takes.`,
  args: {
    run: { type: "positional", required: true, description: "id, or the start or end of it" },
    to: { type: "string", valueHint: "place", description: "its new place; 1 starts next" },
    priority: { type: "string", valueHint: "number", description: "higher ones start first; default of a run: 0" },
    fleet: { type: "boolean", description: "a run of the fleet" },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime queue move k3f9 --to 1", "starts this run next"],
    ["ai-runtime queue move k3f9 --priority 10", "starts it before all runs with a lower priority"],
  ],
  async run(args, output, { environment }) {
    const place = wholeNumber(args.to, "to", 1);
    const priority = wholeNumber(args.priority, "priority", -1_000);
    if (place === undefined && priority === undefined) throw new Failure("usage", "give --to or --priority");
    if (place !== undefined && priority !== undefined) throw new Failure("usage", "give --to or --priority, not both");
    const isFleet = args.fleet === true;
    const move = isFleet ? (await import("../../../app/fleet/fleet-queue.ts")).moveFleet : moveQueued;
    const id = await move(environment, args.run, { place, priority });
    if (output.mode === "json") output.json({ id });
    else output.note(`Moved run ${id}. ai-runtime queue list${isFleet ? " --fleet" : ""} shows the new order.`);
  },
});

function wholeNumber(text: string | undefined, name: string, min: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^-?\d+$/.test(text) && value >= min && value <= 1_000) return value;
  throw new Failure("usage", `--${name} must be a whole number from ${min} to 1000 (got "${text}")`);
}
