import { plannedService } from "../../../app/service/plan-service.ts";
import type { ServiceSystem } from "../../../core/service/service-options.ts";
import { describePlan, planJson } from "../../messages/plan-text.ts";
import { serviceArgs, serviceRequest } from "./service-arguments.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

const systems = ["linux", "darwin", "windows"] as const satisfies ServiceSystem[];

export default defineVerb({
  summary: "prints every file and command of an install, and changes nothing",
  args: {
    ...serviceArgs,
    platform: {
      type: "enum",
      options: [...systems],
      valueHint: systems.join("|"),
      description: "plan for another system",
    },
    ...commonArgs,
  },
  passesOn: true,
  examples: [
    ["ai-runtime service plan", "shows the plan for this directory"],
    [
      "ai-runtime service plan ~/shop --platform darwin -- --model opus",
      "shows the plan for launchd, with a flag for claude",
    ],
  ],
  async run(args, output, { environment, rawArgs }) {
    const system = systems.find((name) => name === args.platform);
    const request = { ...serviceRequest(args, rawArgs), system };
    const { plan } = plannedService(environment, request);
    if (output.mode === "json") return output.json(planJson(plan));
    output.data(describePlan(plan, output));
  },
});
