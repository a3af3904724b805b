import { formatDuration } from "../../format.ts";
import { oneLine } from "../../one-line.ts";
import { printChunks } from "../../print-chunks.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "shows the result of a run of the fleet: Claude's answer, its branch, its patch",
  details: `With --patch it prints only the patch, for git apply. The branch is in the repository when the worker pushes.`,
  args: {
    run: { type: "positional", required: true, description: "id, or the start or end of it" },
    patch: { type: "boolean", description: "print the patch and nothing else" },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime queue result k3f9", "shows the answer and where the work is"],
    ["ai-runtime queue result k3f9 --patch | git apply", "puts the changes into this checkout"],
  ],
  async run(args, output, { environment }) {
    const { readFleetResult } = await import("../../../app/fleet/fleet-queue.ts");
    const { run, patch } = await readFleetResult(environment, args.run);
    // Bytes: a patch can have files in any encoding.
    if (args.patch === true) return printChunks(process.stdout, patch ? [patch] : []);
    const { id, state, outcome, updated } = run;
    if (output.mode === "json") return output.json({ ...run, patchBytes: patch?.length ?? 0 });
    const ago = formatDuration(Math.max(0, environment.now() - updated));
    const why = outcome?.why ? ` (${oneLine(outcome.why)})` : "";
    output.note(`Run ${id} ${words[state] ?? state}${why}, ${ago} ago${outcome ? `, on ${outcome.worker}` : ""}.`);
    if (outcome?.answer) output.data(outcome.answer);
    if (!patch) return output.note("No file was changed.");
    output.note(`The changes: ai-runtime queue result ${id} --patch | git apply`);
    if (outcome?.isPushed) output.note(`They are also on the branch ${outcome.branch} of ${run.repo}.`);
  },
});

const words: Record<string, string> = { done: "is done", failed: "failed", stopped: "was stopped" };
