import { testEveryStep } from "./every-step.ts";
import { dashboardStories } from "./stories/dashboard.ts";

testEveryStep(dashboardStories);
