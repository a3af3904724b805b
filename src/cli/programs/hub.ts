import { command, type ProgramTable } from "./program-table.ts";

export const hub: ProgramTable = {
  name: "ai-runtime hub",
  summary: "the same sessions on every machine, through a PostgreSQL database",
  details: `Without a hub everything stays in plain files on this machine. With one, a background process copies sessions to the
database, encrypted with a key that the database never sees. See docs/HUB.md.`,
  verbs: {
    init: command(() => import("../commands/hub/init.ts")),
    join: command(() => import("../commands/hub/join.ts")),
    status: command(() => import("../commands/hub/status.ts")),
    list: command(() => import("../commands/hub/list.ts")),
    fetch: command(() => import("../commands/hub/fetch.ts")),
    sync: command(() => import("../commands/hub/sync.ts")),
    clean: command(() => import("../commands/hub/clean.ts")),
    leave: command(() => import("../commands/hub/leave.ts")),
  },
  internal: {
    replicate: {
      wordCount: 0,
      run: async () => (await import("../commands/internal/replicate.ts")).runReplicateCommand(),
    },
  },
  examples: [
    ["ai-runtime hub init postgres://me@127.0.0.1/work", "creates the hub and prints the line for other machines"],
    ["ai-runtime hub join", "joins it on another machine"],
    ["ai-runtime hub status", "shows machines, sizes and lag"],
  ],
};
