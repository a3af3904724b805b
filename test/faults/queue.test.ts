import { testEveryStep } from "./every-step.ts";
import { queueStories } from "./stories/queue.ts";

testEveryStep(queueStories);
