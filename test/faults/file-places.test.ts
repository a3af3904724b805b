import { testEveryStep } from "./every-step.ts";
import { filePlaceStories } from "./stories/file-places.ts";

testEveryStep(filePlaceStories);
