import { versionLine } from "../../help/help.ts";
import { defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "prints the name and version, like --version",
  args: {},
  examples: [["session-snapshot version", "prints one line"]],
  async run(_args, output) {
    output.data(versionLine("session-snapshot"));
  },
});
