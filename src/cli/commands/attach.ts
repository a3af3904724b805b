import { currentEnvironment } from "../../app/environment.ts";
import { findAttachable } from "../../app/find-attachable.ts";
import { runPathsOf } from "../../app/start-run.ts";
import { followHeadless } from "../follow-headless.ts";
import { showHosted } from "../host-words.ts";
import { defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "shows a run live, with what it has already printed; leaving it leaves the run alone",
  details: `Without an id, the newest that goes on. Of a task it shows the output so far and then what comes; Ctrl-C
leaves. A hosted Claude is shown as if it had been started here, and every key goes to it, Ctrl-C too;
Ctrl-\\ d leaves it running. Several terminals may be attached at once: the smallest decides the size.`,
  args: {
    run: { type: "positional", required: false, description: "its id, or a beginning or end of it" },
  },
  examples: [
    ["ai-runtime attach", "the newest, from any directory"],
    ["ai-runtime attach k3f9", "by the end of its id"],
  ],
  async run(args, output) {
    const environment = currentEnvironment(process.env);
    const paths = runPathsOf(environment);
    const found = findAttachable(environment, paths, args.run);
    if (found.kind === "headless") return followHeadless(paths, found.record.plan.id, output);
    return showHosted(environment, found.record.plan.id);
  },
});
