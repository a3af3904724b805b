import { setDefaultTimeout } from "bun:test";
import { testEveryStep } from "./every-step.ts";
import { notifyStories } from "./stories/notify.ts";

setDefaultTimeout(60_000);

testEveryStep(notifyStories);
