import { testEveryStep } from "./every-step.ts";
import { repairStories } from "./stories/repair.ts";

testEveryStep(repairStories);
