import { defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "what Claude's hooks call: reads one payload on stdin, takes a snapshot when due",
  details: "Never disturbs Claude: it prints nothing and its exit code is 0, whatever happens. Errors go to the log.",
  args: {},
  examples: [["session-snapshot hook < payload.json", "what a hook does, by hand"]],
  run: async () => (await import("./hook.ts")).runHookCommand(),
});
