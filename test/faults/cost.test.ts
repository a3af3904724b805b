import { setDefaultTimeout } from "bun:test";
import { testEveryStep } from "./every-step.ts";
import { costStories } from "./stories/cost.ts";

setDefaultTimeout(60_000);

testEveryStep(costStories);
