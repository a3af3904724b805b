import { setDefaultTimeout } from "bun:test";
import { testEveryStep } from "./every-step.ts";
import { searchStories } from "./stories/search.ts";

setDefaultTimeout(60_000);

testEveryStep(searchStories);
