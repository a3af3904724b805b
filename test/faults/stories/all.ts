import type { Story } from "../story.ts";
import { cclaudeStories } from "./cclaude.ts";
import { checkpointStories } from "./checkpoint.ts";
import { cleanStories } from "./clean.ts";
import { fileStories } from "./files.ts";
import { hookStories } from "./hook.ts";
import { hubStories } from "./hub.ts";
import { installStories } from "./install.ts";
import { packingStories } from "./packing.ts";
import { repairStories } from "./repair.ts";
import { restoreStories } from "./restore.ts";
import { runStories } from "./run.ts";
import { stepStories } from "./steps.ts";

export const allStories: readonly Story[] = [
  ...hookStories,
  ...fileStories,
  ...stepStories,
  ...packingStories,
  ...restoreStories,
  ...repairStories,
  ...cleanStories,
  ...checkpointStories,
  ...installStories,
  ...runStories,
  ...cclaudeStories,
  ...hubStories,
];
