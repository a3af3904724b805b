import { setDefaultTimeout } from "bun:test";
import { testEveryStep } from "./every-step.ts";
import { restoreRequestStories } from "./stories/restore-request.ts";

setDefaultTimeout(60_000);

testEveryStep(restoreRequestStories);
