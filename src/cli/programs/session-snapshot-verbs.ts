import type { ProgramDefinition } from "../program.ts";

export const sessionSnapshot: ProgramDefinition = {
  name: "session-snapshot",
  summary: "snapshots of Claude Code's transcripts, taken by its hooks",
  verbs: {
    install: () => import("../commands/install.ts"),
    uninstall: () => import("../commands/uninstall.ts"),
    status: () => import("../commands/status.ts"),
    list: () => import("../commands/list.ts"),
    view: () => import("../commands/view.ts"),
    restore: () => import("../commands/restore.ts"),
    undo: () => import("../commands/undo.ts"),
    verify: () => import("../commands/verify.ts"),
    repair: () => import("../commands/repair.ts"),
    test: () => import("../commands/test.ts"),
    clean: () => import("../commands/clean.ts"),
    hook: () => import("../commands/hook-verb.ts"),
  },
  examples: [
    ["session-snapshot list", "the marks of the newest session here"],
    ["session-snapshot restore --to 3", "puts its transcript back as it was at mark 3"],
    ["session-snapshot undo", "takes that back"],
  ],
};
