import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "works on runs of the fleet on this machine, in the foreground",
  details: `Takes runs that ai-runtime run --fleet queued on any machine of the hub, each in a working tree of its own. At a usage
limit a run goes back to the queue, and a worker with another account continues it at once. Ctrl-C gives the runs back and ends
the worker. A run never gets more permissions than --grant allows.`,
  args: {
    slots: { type: "string", valueHint: "number", description: "runs at the same time; default: 1" },
    labels: { type: "string", valueHint: "words", description: "what this machine offers, such as linux,gpu" },
    account: {
      type: "string",
      valueHint: "name",
      description: "workers with the same name share its limit; default: an account of this machine",
    },
    grant: {
      type: "string",
      valueHint: "mode",
      description: "the most that a run may do: default, acceptEdits or bypassPermissions; default: acceptEdits",
    },
    push: { type: "boolean", description: "also push the branch with the result to the repository" },
    drain: { type: "boolean", description: "end when no run is left that this worker may take" },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime worker --slots 2 --account team-1", "works on two runs at the same time"],
    ["ai-runtime worker --labels gpu --grant bypassPermissions", "takes runs for machines with the label gpu"],
  ],
  async run(args, output, { environment }) {
    const { readWorkerOptions } = await import("../../../app/fleet/worker-options.ts");
    const options = readWorkerOptions(args);
    const { runWorker } = await import("../../../app/fleet/worker.ts");
    const say = (text: string): void => {
      if (output.mode === "json") output.json({ time: new Date().toISOString(), text });
      else output.note(text);
    };
    await runWorker(environment, options, say);
  },
});
