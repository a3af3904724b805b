import { setDefaultTimeout } from "bun:test";
import { testEveryStep } from "./every-step.ts";
import { restoreStories } from "./stories/restore.ts";

setDefaultTimeout(60_000);

testEveryStep(restoreStories);
