import { testEveryStep } from "./every-step.ts";
import { hubStories } from "./stories/hub.ts";

testEveryStep(hubStories);
