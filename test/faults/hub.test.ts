import { setDefaultTimeout } from "bun:test";
import { testEveryStep } from "./every-step.ts";
import { hubStories } from "./stories/hub.ts";

setDefaultTimeout(120_000);

testEveryStep(hubStories);
