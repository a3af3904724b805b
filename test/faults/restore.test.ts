import { testEveryStep } from "./every-step.ts";
import { restoreStories } from "./stories/restore.ts";

testEveryStep(restoreStories);
