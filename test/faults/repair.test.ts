import { setDefaultTimeout } from "bun:test";
import { testEveryStep } from "./every-step.ts";
import { repairStories } from "./stories/repair.ts";

setDefaultTimeout(60_000);

testEveryStep(repairStories);
