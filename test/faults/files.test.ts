import { setDefaultTimeout } from "bun:test";
import { testEveryStep } from "./every-step.ts";
import { fileStories } from "./stories/files.ts";

setDefaultTimeout(60_000);

testEveryStep(fileStories);
