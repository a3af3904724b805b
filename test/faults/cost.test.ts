import { testEveryStep } from "./every-step.ts";
import { costStories } from "./stories/cost.ts";

testEveryStep(costStories);
