import { testEveryStep } from "./every-step.ts";
import { runStories } from "./stories/run.ts";

testEveryStep(runStories);
