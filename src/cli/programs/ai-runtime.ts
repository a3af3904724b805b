import { checkpoint } from "./checkpoint.ts";
import { notify } from "./notify.ts";
import { queue } from "./queue.ts";
import { hub } from "./hub.ts";
import { service } from "./service.ts";
import { command, fast, type ProgramTable, runTable } from "./program-table.ts";

export const aiRuntime: ProgramTable = {
  name: "ai-runtime",
  summary: "nothing Claude Code was doing is ever lost, and it continues by itself",
  verbs: {
    run: command(() => import("../commands/ai-runtime/run.ts")),
    attach: command(() => import("../commands/ai-runtime/attach.ts")),
    resume: command(() => import("../commands/ai-runtime/resume.ts")),
    recover: command(() => import("../commands/ai-runtime/recover.ts")),
    status: command(() => import("../commands/ai-runtime/status.ts")),
    usage: command(() => import("../commands/ai-runtime/usage.ts")),
    stop: command(() => import("../commands/ai-runtime/stop.ts")),
    logs: command(() => import("../commands/ai-runtime/logs.ts")),
    worker: command(() => import("../commands/ai-runtime/worker.ts")),
    dashboard: command(() => import("../commands/ai-runtime/dashboard.ts")),
    install: command(() => import("../commands/ai-runtime/install.ts")),
    uninstall: command(() => import("../commands/ai-runtime/uninstall.ts")),
    checkpoint: { kind: "table", table: checkpoint },
    service: { kind: "table", table: service },
    notify: { kind: "table", table: notify },
    queue: { kind: "table", table: queue },
    hub: { kind: "table", table: hub },
    statusline: fast(
      () => import("../commands/ai-runtime/statusline.ts"),
      async (words) => (await import("../commands/internal/statusline.ts")).runStatusLine(words),
    ),
    hook: fast(
      () => import("../commands/ai-runtime/hook.ts"),
      async (words) => {
        const jobs = { snapshots: true, checkpoints: true, fromPlugin: words.includes("--plugin") };
        await (await import("../commands/internal/hook.ts")).runHookCommand(jobs);
      },
    ),
    demo: command(() => import("../commands/ai-runtime/demo.ts")),
    doctor: command(() => import("../commands/ai-runtime/doctor.ts")),
    completions: command(() => import("../commands/ai-runtime/completions.ts")),
    "shell-function": command(() => import("../commands/ai-runtime/shell-function.ts")),
    man: command(() => import("../commands/ai-runtime/man.ts")),
    version: command(() => import("../commands/ai-runtime/version.ts")),
  },
  internal: {
    "completion-ids": {
      wordCount: 1,
      run: async ([kind = ""]) => (await import("../commands/internal/completion-ids.ts")).printCompletionIds(kind),
    },
    "dashboard-server": {
      wordCount: 1,
      run: async ([options = ""]) =>
        (await import("../commands/internal/dashboard-server.ts")).runDashboardServer(options),
    },
    deliver: {
      wordCount: 0,
      run: async () => (await import("../commands/internal/deliver.ts")).runDeliver(),
    },
    "demo-claude": {
      run: async (words) => (await import("../commands/internal/demo-claude.ts")).runDemoClaude(words),
    },
    dispatch: {
      wordCount: 0,
      run: async () => (await import("../commands/internal/dispatch.ts")).runDispatch(),
    },
    host: {
      wordCount: 1,
      run: async ([id = ""]) => (await import("../commands/internal/host.ts")).runHostCommand(id),
    },
    "terminal-host": {
      wordCount: 1,
      run: async () => (await import("../commands/internal/host.ts")).runTerminalHostCommand(),
    },
    supervise: {
      wordCount: 2,
      run: async ([id = "", how = ""]) => (await import("../commands/internal/supervise.ts")).runSupervise(id, how),
    },
  },
  otherPrograms: [
    ["session-snapshot", "snapshots of Claude's transcripts: take, list, restore"],
    ["cclaude", "claude that resumes after an overload, a crash or a usage limit"],
  ],
  examples: [
    ['ai-runtime run "Migrate the tests" --permission-mode acceptEdits', "works on a task until it is done"],
    ["ai-runtime status", "shows all runs, from any directory"],
    ["ai-runtime install", "adds the snapshot and checkpoint hooks, the status line and the skills to Claude"],
    ["ai-runtime checkpoint show", "shows where the work in this directory stands"],
    ["ai-runtime session-snapshot status", "shows the snapshots on this machine"],
    ["ai-runtime cclaude --continue", "starts claude with the last conversation of this directory"],
  ],
};

export const runAiRuntime = (argv: string[]): Promise<void> => runTable(aiRuntime, argv);
