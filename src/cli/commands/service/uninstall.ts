import { uninstallService } from "../../../app/service/uninstall-service.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "stops a service and removes all its files, including its log",
  details: "Claude's transcripts stay. Files that you have changed are kept, and the command prints where.",
  args: {
    service: {
      type: "positional",
      required: false,
      description: "name, start of the name, or workspace; default: the service of this directory, else the only one",
    },
    ...commonArgs,
  },
  examples: [["ai-runtime service uninstall", "removes the service of this directory"]],
  async run(args, output, { environment }) {
    const removed = await uninstallService(environment, args.service);
    if (output.mode === "json") return output.json({ ...removed });
    for (const change of removed.changes) output.note(change);
    for (const path of removed.kept) output.warn(`${path} keeps what you wrote or changed`);
    output.success(`Service ${removed.slug} is removed.`);
  },
});
