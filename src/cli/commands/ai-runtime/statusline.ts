import type { VerbDescription } from "../../programs/verb.ts";

export default {
  summary: "prints Claude's status line: context, usage, last checkpoint; saves a checkpoint near a limit",
  details: `Reads Claude's status JSON on stdin. ai-runtime install adds it to Claude's settings. An existing status line
command still runs first, and its output stays unchanged above ours.`,
  args: { first: { type: "string", valueHint: "command", description: "another status line command to run first" } },
  examples: [["ai-runtime statusline --first 'my-line.sh' < status.json", "prints what Claude shows"]],
} satisfies VerbDescription;
