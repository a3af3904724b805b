import { defineVerb } from "../verb.ts";

// Only its line in the list of commands: the program goes to the table of checkpoint's own commands before it gets here.
export default defineVerb({
  summary: "where the work stands: save, show, list, clear",
  args: {},
  examples: [["ai-runtime checkpoint --help", "its commands"]],
  run: async () => {},
});
