import { command, type ProgramTable } from "./program-table.ts";

export const queue: ProgramTable = {
  name: "ai-runtime queue",
  summary: "runs that wait for a time, for quota or for another run: order, cancel, pause",
  details: `A run enters the queue with an option of ai-runtime run: --at, --when-available, --after, --after-success, --deadline,
--priority or --max-parallel. A process in the background starts each run in its moment; after a reboot, ai-runtime recover
(or any command that shows the queue) starts that process again. ai-runtime attach and stop work while a run is queued.
With --fleet, list, move and cancel are about the runs that ai-runtime run --fleet put into the hub.`,
  verbs: {
    list: command(() => import("../commands/queue/list.ts")),
    move: command(() => import("../commands/queue/move.ts")),
    cancel: command(() => import("../commands/queue/cancel.ts")),
    pause: command(() => import("../commands/queue/pause.ts")),
    resume: command(() => import("../commands/queue/resume.ts")),
    result: command(() => import("../commands/queue/result.ts")),
  },
  examples: [
    ['ai-runtime run "Update the docs" --at "tomorrow 6am"', "starts a run tomorrow"],
    ['ai-runtime run "Fix the tests" --when-available', "starts a run when the account has quota"],
    ["ai-runtime queue list", "shows what waits, and for what"],
  ],
};
