import { setDefaultTimeout } from "bun:test";
import { testEveryStep } from "./every-step.ts";
import { cleanStories } from "./stories/clean.ts";

setDefaultTimeout(60_000);

testEveryStep(cleanStories);
