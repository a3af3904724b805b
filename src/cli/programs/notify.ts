import { command, type ProgramTable } from "./program-table.ts";

export const notify: ProgramTable = {
  name: "ai-runtime notify",
  summary: "tells you when Claude needs you, waits for a limit, continues, is done or fails",
  details: `Off until a channel is configured in config.json: your terminal, the desktop, ntfy, a webhook or a command. See the
settings that begin with "notify." in ai-runtime man. ai-runtime doctor shows messages that could not be delivered.`,
  verbs: {
    test: command(() => import("../commands/notify/test.ts")),
  },
  examples: [
    ["ai-runtime notify test", "sends a sample to every configured channel"],
    ["AI_RUNTIME_NOTIFY_DESKTOP=all ai-runtime notify test", "tries the desktop without changing config.json"],
  ],
};
