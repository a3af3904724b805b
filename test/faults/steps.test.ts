import { testEveryStep } from "./every-step.ts";
import { stepStories } from "./stories/steps.ts";

testEveryStep(stepStories);
