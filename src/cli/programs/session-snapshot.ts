import { command, fast, type ProgramTable, runTable } from "./program-table.ts";

export const sessionSnapshot: ProgramTable = {
  name: "session-snapshot",
  summary: "snapshots of Claude Code's transcripts and of your files, taken by its hooks",
  verbs: {
    install: command(() => import("../commands/session-snapshot/install.ts")),
    uninstall: command(() => import("../commands/session-snapshot/uninstall.ts")),
    status: command(() => import("../commands/session-snapshot/status.ts")),
    list: command(() => import("../commands/session-snapshot/list.ts")),
    search: command(() => import("../commands/session-snapshot/search.ts")),
    view: command(() => import("../commands/session-snapshot/view.ts")),
    diff: command(() => import("../commands/session-snapshot/diff.ts")),
    restore: command(() => import("../commands/session-snapshot/restore.ts")),
    undo: command(() => import("../commands/session-snapshot/undo.ts")),
    verify: command(() => import("../commands/session-snapshot/verify.ts")),
    repair: command(() => import("../commands/session-snapshot/repair.ts")),
    rehome: command(() => import("../commands/session-snapshot/rehome.ts")),
    backfill: command(() => import("../commands/session-snapshot/backfill.ts")),
    test: command(() => import("../commands/session-snapshot/test.ts")),
    clean: command(() => import("../commands/session-snapshot/clean.ts")),
    version: command(() => import("../commands/session-snapshot/version.ts")),
    hook: fast(
      () => import("../commands/session-snapshot/hook.ts"),
      async () => (await import("../commands/internal/hook.ts")).runHookCommand(),
    ),
  },
  internal: {
    "mark-files": {
      wordCount: 1,
      run: async ([request = ""]) => (await import("../commands/internal/mark-files.ts")).runMarkFilesCommand(request),
    },
    "backfill-worker": {
      wordCount: 0,
      run: async () => (await import("../commands/internal/backfill.ts")).runBackfillCommand(),
    },
    maintain: {
      wordCount: 0,
      run: async () => (await import("../commands/internal/maintain.ts")).runMaintainCommand(),
    },
  },
  examples: [
    ["session-snapshot list", "shows the marks of the newest session in this directory"],
    ["session-snapshot restore --to 3", "restores the transcript as it was at mark 3"],
    ["session-snapshot restore --files", "takes back the last change of your files"],
    ["session-snapshot undo", "undoes that restore"],
  ],
};

export const runSessionSnapshot = (argv: string[]): Promise<void> => runTable(sessionSnapshot, argv);
