import { command, type ProgramTable } from "./program-table.ts";

export const checkpoint: ProgramTable = {
  name: "ai-runtime checkpoint",
  summary: "records where the work stands: goal, done, next, where, blocker",
  details: `After ai-runtime install, Claude's hooks keep the checkpoint up to date from prompts, edits, commits and task lists.
A checkpoint that you save, or that Claude saves with the checkpoint skill, says more, and hooks never overwrite its
words. A new session shows one line about it.`,
  verbs: {
    save: command(() => import("../commands/checkpoint/save.ts")),
    show: command(() => import("../commands/checkpoint/show.ts")),
    list: command(() => import("../commands/checkpoint/list.ts")),
    clear: command(() => import("../commands/checkpoint/clear.ts")),
  },
  examples: [
    [
      'ai-runtime checkpoint save --goal "Ship the cart" --done "totals rounded" --next "run npm test"',
      "saves one in your words",
    ],
    ["ai-runtime checkpoint show --global", "shows the newest of all directories"],
  ],
};
