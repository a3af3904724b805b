import { setDefaultTimeout } from "bun:test";
import { testEveryStep } from "./every-step.ts";
import { packingStories } from "./stories/packing.ts";

setDefaultTimeout(60_000);

testEveryStep(packingStories);
