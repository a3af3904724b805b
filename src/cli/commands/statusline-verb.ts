import { defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "Claude's status line: context, usage and the last checkpoint; saves one near the limit",
  details: `Reads Claude's status JSON on stdin. ai-runtime install puts it into Claude's settings, in front of the command that was
there; that one's output stays as it is, above ours.`,
  args: { first: { type: "string", valueHint: "command", description: "another status line command to run first" } },
  examples: [["ai-runtime statusline --first 'my-line.sh' < status.json", "what Claude shows"]],
  run: async () => {},
});
