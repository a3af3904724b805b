import { setDefaultTimeout } from "bun:test";
import { testEveryStep } from "./every-step.ts";
import { stepStories } from "./stories/steps.ts";

setDefaultTimeout(60_000);

testEveryStep(stepStories);
