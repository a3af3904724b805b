import { setDefaultTimeout } from "bun:test";
import { testEveryStep } from "./every-step.ts";
import { installStories } from "./stories/install.ts";

setDefaultTimeout(60_000);

testEveryStep(installStories);
