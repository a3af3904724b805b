import { testEveryStep } from "./every-step.ts";
import { packingStories } from "./stories/packing.ts";

testEveryStep(packingStories);
