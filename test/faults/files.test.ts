import { testEveryStep } from "./every-step.ts";
import { fileStories } from "./stories/files.ts";

testEveryStep(fileStories);
