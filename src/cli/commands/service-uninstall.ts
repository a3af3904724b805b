import { currentEnvironment } from "../../app/environment.ts";
import { uninstallService } from "../../app/uninstall-service.ts";
import { commonArgs, defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "stops a service and removes every file of it, its log too",
  details: "Claude's own transcripts stay. A file that you have changed since is kept, and you are told where.",
  args: {
    service: {
      type: "positional",
      required: false,
      description: "its name, the beginning of it, or its workspace; this directory's, else the only one",
    },
    ...commonArgs,
  },
  examples: [["ai-runtime service uninstall", "that of this directory"]],
  async run(args, output) {
    const removed = await uninstallService(currentEnvironment(process.env), args.service);
    if (output.mode === "json") return output.json({ ...removed });
    for (const change of removed.changes) output.note(change);
    for (const path of removed.kept) output.warn(`${path} has what you wrote or changed`);
    output.success(`Service ${removed.slug} is gone.`);
  },
});
