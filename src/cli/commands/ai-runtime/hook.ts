import type { VerbDescription } from "../../programs/verb.ts";

export default {
  summary: "the command that Claude's hooks run: takes a snapshot and a checkpoint when due",
  details: `Reads one payload on stdin. Never disturbs Claude: the exit code is always 0, and it prints nothing, except at
SessionStart what a new session should know. Errors go to the log; see session-snapshot status.`,
  args: {
    plugin: { type: "boolean", description: "called by the plugin: skip what the hooks in the settings already do" },
  },
  examples: [["ai-runtime hook < payload.json", "runs the hook by hand"]],
} satisfies VerbDescription;
