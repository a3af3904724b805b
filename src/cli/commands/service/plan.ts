import { plannedService } from "../../../app/service/plan-service.ts";
import type { ServicePlan, ServiceSystem } from "../../../core/service/service-options.ts";
import type { Output } from "../../output.ts";
import { quotePosixWords } from "../../../core/posix-quote.ts";
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

/** File modes in octal, as text. */
const planJson = ({ files, commands, notes }: ServicePlan): object => ({
  files: files.map(({ path, content, mode }) => ({ path, content, mode: octal(mode) })),
  commands,
  notes,
});

const octal = (mode: number): string => mode.toString(8).padStart(4, "0");

function describePlan({ files, commands, notes }: ServicePlan, { colors }: Output): string {
  const parts = files.map(({ path, content, mode }) =>
    [colors.bold(`${quotePosixWords([path])}  (${octal(mode)})`), indent(content)].join("\n"),
  );
  const then = commands.map((command) => `  ${quotePosixWords(command)}`);
  return [
    ...parts,
    [colors.bold("Commands"), ...then].join("\n"),
    [colors.bold("Notes"), ...notes.map((note) => `  ${note}`)].join("\n"),
  ].join("\n\n");
}

const indent = (content: string): string =>
  content
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => `  ${line}`.trimEnd())
    .join("\n");
