import { testEveryStep } from "./every-step.ts";
import { cleanStories } from "./stories/clean.ts";

testEveryStep(cleanStories);
