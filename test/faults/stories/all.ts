import type { Story } from "../story.ts";
import { bootStories } from "./boot.ts";
import { cclaudeStories } from "./cclaude.ts";
import { checkpointStories } from "./checkpoint.ts";
import { cleanStories } from "./clean.ts";
import { costStories } from "./cost.ts";
import { dashboardStories } from "./dashboard.ts";
import { fileStories } from "./files.ts";
import { hookStories } from "./hook.ts";
import { hubStories } from "./hub.ts";
import { installStories } from "./install.ts";
import { notifyStories } from "./notify.ts";
import { packingStories } from "./packing.ts";
import { queueStories } from "./queue.ts";
import { repairStories } from "./repair.ts";
import { rehomeStories } from "./rehome.ts";
import { restoreRequestStories } from "./restore-request.ts";
import { restoreStories } from "./restore.ts";
import { runStories } from "./run.ts";
import { searchStories } from "./search.ts";
import { stepStories } from "./steps.ts";
import { subagentStories } from "./subagents.ts";

export const allStories: readonly Story[] = [
  ...hookStories,
  ...fileStories,
  ...stepStories,
  ...packingStories,
  ...restoreStories,
  ...rehomeStories,
  ...subagentStories,
  ...repairStories,
  ...cleanStories,
  ...checkpointStories,
  ...installStories,
  ...runStories,
  ...bootStories,
  ...cclaudeStories,
  ...notifyStories,
  ...queueStories,
  ...costStories,
  ...dashboardStories,
  ...searchStories,
  ...restoreRequestStories,
  ...hubStories,
];
