import { testEveryStep } from "./every-step.ts";
import { notifyStories } from "./stories/notify.ts";

testEveryStep(notifyStories);
