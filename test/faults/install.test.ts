import { testEveryStep } from "./every-step.ts";
import { installStories } from "./stories/install.ts";

testEveryStep(installStories);
