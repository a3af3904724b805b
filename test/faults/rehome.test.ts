import { setDefaultTimeout } from "bun:test";
import { testEveryStep } from "./every-step.ts";
import { rehomeStories } from "./stories/rehome.ts";

setDefaultTimeout(120_000);

testEveryStep(rehomeStories);
