import { serviceLogs } from "../../../app/service/service-logs.ts";
import { oneLine } from "../../one-line.ts";
import { defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "prints the log of a service: what it did and why",
  args: {
    service: {
      type: "positional",
      required: false,
      description: "name, start of the name, or workspace; default: the service of this directory, else the only one",
    },
    lines: { type: "string", alias: "n", valueHint: "count", description: "how many of the last lines; default: 100" },
  },
  examples: [["ai-runtime service logs -n 20", "prints the last 20 lines"]],
  async run(args, output, { environment }) {
    const lines = serviceLogs(environment, args.service, args.lines ?? "100");
    if (lines.length > 0) output.data(lines.map(oneLine).join("\n"));
    else output.note("The log is empty.");
  },
});
