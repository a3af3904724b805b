import { setDefaultTimeout } from "bun:test";
import { testEveryStep } from "./every-step.ts";
import { hookStories } from "./stories/hook.ts";

setDefaultTimeout(60_000);

testEveryStep(hookStories);
