import { defineVerb } from "../verb.ts";

// Only its line in the list of commands: the program goes to the table of service's own commands before it gets here.
export default defineVerb({
  summary: "an always-on agent: plan, install, uninstall, status, logs",
  args: {},
  examples: [["ai-runtime service --help", "its commands"]],
  run: async () => {},
});
