import { defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "what Claude's hooks call: one payload on stdin; snapshot and checkpoint when due",
  details: `Never disturbs Claude: its exit code is 0, whatever happens, and it prints nothing, but for SessionStart what a new session
should know. Errors go to the log, see session-snapshot status.`,
  args: {
    plugin: { type: "boolean", description: "called by the plugin: leaves out what the settings' own hooks do" },
  },
  examples: [["ai-runtime hook < payload.json", "what a hook does, by hand"]],
  run: async () => (await import("./hook.ts")).runHookCommand({ snapshots: true, checkpoints: true }),
});
