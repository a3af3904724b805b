import { setDefaultTimeout } from "bun:test";
import { testEveryStep } from "./every-step.ts";
import { checkpointStories } from "./stories/checkpoint.ts";

setDefaultTimeout(60_000);

testEveryStep(checkpointStories);
