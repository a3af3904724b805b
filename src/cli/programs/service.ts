import { command, type ProgramTable } from "./program-table.ts";

export const service: ProgramTable = {
  name: "ai-runtime service",
  summary: "runs Claude Code as an always-on agent that resumes its conversation after every restart",
  details: `Each workspace has one service, managed by systemd (user units), launchd or the Windows Task Scheduler. Each start
continues the last conversation of the workspace. It begins a new one when there is none, when it cannot be read, or
when it is older than seven days. Flags for claude follow after --; the service has only the permissions that you
give there.`,
  verbs: {
    install: command(() => import("../commands/service/install.ts")),
    uninstall: command(() => import("../commands/service/uninstall.ts")),
    status: command(() => import("../commands/service/status.ts")),
    logs: command(() => import("../commands/service/logs.ts")),
    plan: command(() => import("../commands/service/plan.ts")),
  },
  internal: {
    run: {
      wordCount: 1,
      run: async ([slug = ""]) => (await import("../commands/internal/service-run.ts")).runServiceCommand(slug),
    },
  },
  examples: [
    ["ai-runtime service plan -- --permission-mode acceptEdits", "shows every file and command, and changes nothing"],
    ["ai-runtime service install -- --permission-mode acceptEdits", "installs a service for this directory"],
    ["ai-runtime service status", "shows all services"],
  ],
};
