import type { VerbDescription } from "../../programs/verb.ts";

export default {
  summary: "the command that Claude's hooks run: takes a snapshot when due",
  details: `Reads one payload on stdin. Never disturbs Claude: it prints nothing, and the exit code is always 0. Errors go to
the log.`,
  args: {},
  examples: [["session-snapshot hook < payload.json", "runs the hook by hand"]],
} satisfies VerbDescription;
