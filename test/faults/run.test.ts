import { setDefaultTimeout } from "bun:test";
import { testEveryStep } from "./every-step.ts";
import { runStories } from "./stories/run.ts";

setDefaultTimeout(60_000);

testEveryStep(runStories);
