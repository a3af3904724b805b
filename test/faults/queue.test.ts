import { setDefaultTimeout } from "bun:test";
import { testEveryStep } from "./every-step.ts";
import { queueStories } from "./stories/queue.ts";

setDefaultTimeout(60_000);

testEveryStep(queueStories);
