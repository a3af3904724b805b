import { pauseQueue } from "../../../app/queue/change-queue.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "starts no more runs of the queue; those that work continue",
  args: { ...commonArgs },
  examples: [["ai-runtime queue pause", "holds the queue until ai-runtime queue resume"]],
  async run(_, output, { environment }) {
    await pauseQueue(environment, true);
    if (output.mode === "json") output.json({ paused: true });
    else output.note("The queue is paused. Continue with: ai-runtime queue resume");
  },
});
