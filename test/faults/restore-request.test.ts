import { testEveryStep } from "./every-step.ts";
import { restoreRequestStories } from "./stories/restore-request.ts";

testEveryStep(restoreRequestStories);
