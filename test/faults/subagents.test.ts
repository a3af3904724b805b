import { setDefaultTimeout } from "bun:test";
import { testEveryStep } from "./every-step.ts";
import { subagentStories } from "./stories/subagents.ts";

setDefaultTimeout(120_000);

testEveryStep(subagentStories);
