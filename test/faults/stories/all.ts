import type { Story } from "../story.ts";
import { checkpointStories } from "./checkpoint.ts";
import { cleanStories } from "./clean.ts";
import { hookStories } from "./hook.ts";
import { installStories } from "./install.ts";
import { packingStories } from "./packing.ts";
import { repairStories } from "./repair.ts";
import { restoreStories } from "./restore.ts";
import { runStories } from "./run.ts";

export const allStories: readonly Story[] = [
  ...hookStories,
  ...packingStories,
  ...restoreStories,
  ...repairStories,
  ...cleanStories,
  ...checkpointStories,
  ...installStories,
  ...runStories,
];
