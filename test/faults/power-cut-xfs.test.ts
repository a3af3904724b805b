import { sampleOf } from "./extent.ts";
import { testPowerCuts } from "./power-cut.ts";
import { allStories } from "./stories/all.ts";

testPowerCuts(sampleOf(allStories, 1, "xfs"), "xfs");
