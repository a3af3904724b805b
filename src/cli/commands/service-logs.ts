import { currentEnvironment } from "../../app/environment.ts";
import { serviceLogs } from "../../app/service-logs.ts";
import { oneLine } from "../one-line.ts";
import { defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "prints what a service did and why",
  args: {
    service: {
      type: "positional",
      required: false,
      description: "its name, the beginning of it, or its workspace; this directory's, else the only one",
    },
    lines: { type: "string", alias: "n", valueHint: "count", description: "so many of the last lines (100)" },
  },
  examples: [["ai-runtime service logs -n 20", "the last twenty lines"]],
  async run(args, output) {
    const lines = serviceLogs(currentEnvironment(process.env), args.service, args.lines ?? "100");
    if (lines.length > 0) output.data(lines.map(oneLine).join("\n"));
    else output.note("The log is empty.");
  },
});
