import { pauseQueue } from "../../../app/queue/change-queue.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "starts runs of a paused queue again",
  args: { ...commonArgs },
  examples: [["ai-runtime queue resume", "continues after ai-runtime queue pause"]],
  async run(_, output, { environment }) {
    await pauseQueue(environment, false);
    if (output.mode === "json") output.json({ paused: false });
    else output.note("The queue continues.");
  },
});
