import { testEveryStep } from "./every-step.ts";
import { hookStories } from "./stories/hook.ts";

testEveryStep(hookStories);
