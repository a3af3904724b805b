import { setDefaultTimeout } from "bun:test";
import { testEveryStep } from "./every-step.ts";
import { cclaudeStories } from "./stories/cclaude.ts";

setDefaultTimeout(60_000);

testEveryStep(cclaudeStories);
