import { testEveryStep } from "./every-step.ts";
import { cclaudeStories } from "./stories/cclaude.ts";

testEveryStep(cclaudeStories);
