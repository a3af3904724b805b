import type { ProgramDefinition } from "../program.ts";

export const aiRuntime: ProgramDefinition = {
  name: "ai-runtime",
  summary: "nothing that Claude Code was doing is ever lost",
  verbs: {
    run: () => import("../commands/run.ts"),
    attach: () => import("../commands/attach.ts"),
    resume: () => import("../commands/resume.ts"),
    recover: () => import("../commands/recover.ts"),
    status: () => import("../commands/run-status.ts"),
    stop: () => import("../commands/stop.ts"),
    logs: () => import("../commands/logs.ts"),
    install: () => import("../commands/install-everything.ts"),
    uninstall: () => import("../commands/uninstall-everything.ts"),
    checkpoint: () => import("../commands/checkpoint.ts"),
    service: () => import("../commands/service.ts"),
    statusline: () => import("../commands/statusline-verb.ts"),
    hook: () => import("../commands/hook-everything.ts"),
    demo: () => import("../commands/demo.ts"),
    doctor: () => import("../commands/doctor.ts"),
    completions: () => import("../commands/completions.ts"),
    "shell-function": () => import("../commands/shell-function.ts"),
    man: () => import("../commands/man.ts"),
  },
  moreHelp: [
    {
      title: "Programs (also started by these names)",
      rows: [
        ["session-snapshot", "snapshots of Claude's transcripts: take, list, restore"],
        ["cclaude", "claude, and it goes on by itself after overload, crash and limit"],
      ],
    },
  ],
  examples: [
    ['ai-runtime run "Migrate the tests" --permission-mode acceptEdits', "a task, until it is done"],
    ["ai-runtime status", "all runs, from any directory"],
    ["ai-runtime install", "snapshots and checkpoints by Claude's hooks, the status line, the skills"],
    ["ai-runtime checkpoint show", "where the work in this directory stands"],
    ["ai-runtime session-snapshot status", "the snapshots on this machine"],
    ["ai-runtime cclaude --continue", "claude, with the last conversation here"],
  ],
};

export const checkpoint: ProgramDefinition = {
  name: "ai-runtime checkpoint",
  summary: "where the work stands: goal, done, next, where, blocker",
  details: `Claude's hooks keep it by themselves once ai-runtime install has run: prompts, edits, commits, task lists. A save by hand,
or by Claude with the checkpoint skill, says more, and hooks never overwrite its words. A new session shows one line about it.`,
  verbs: {
    save: () => import("../commands/checkpoint-save.ts"),
    show: () => import("../commands/checkpoint-show.ts"),
    list: () => import("../commands/checkpoint-list.ts"),
    clear: () => import("../commands/checkpoint-clear.ts"),
  },
  examples: [
    ['ai-runtime checkpoint save --goal "Ship the cart" --done "totals rounded" --next "run npm test"', "in words"],
    ["ai-runtime checkpoint show --global", "the newest of all directories"],
  ],
};

export const service: ProgramDefinition = {
  name: "ai-runtime service",
  summary: "Claude Code as an always-on agent that resumes its conversation after every restart",
  details: `One for each workspace, kept by systemd (user units), launchd or the Windows Task Scheduler. Each start continues the
workspace's last conversation, and begins a new one when there is none, it cannot be read, or it is older than seven days.
Claude's own flags follow after --; permissions are those that you give there, never more.`,
  verbs: {
    install: () => import("../commands/service-install.ts"),
    uninstall: () => import("../commands/service-uninstall.ts"),
    status: () => import("../commands/service-status.ts"),
    logs: () => import("../commands/service-logs.ts"),
    plan: () => import("../commands/service-plan.ts"),
  },
  examples: [
    ["ai-runtime service plan -- --permission-mode acceptEdits", "every file and command, without touching anything"],
    ["ai-runtime service install -- --permission-mode acceptEdits", "for this directory"],
    ["ai-runtime service status", "all services"],
  ],
};
