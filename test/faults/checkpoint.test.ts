import { testEveryStep } from "./every-step.ts";
import { checkpointStories } from "./stories/checkpoint.ts";

testEveryStep(checkpointStories);
