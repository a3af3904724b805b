import { currentEnvironment } from "../../app/environment.ts";
import { plannedService } from "../../app/plan-service.ts";
import type { ServicePlan, ServiceSystem } from "../../core/service-options.ts";
import type { Output } from "../output.ts";
import { quoteWords } from "../quote-words.ts";
import { serviceArgs, serviceRequest } from "../service-request.ts";
import { commonArgs, defineVerb } from "../verb.ts";

const systems = ["linux", "darwin", "windows"] as const satisfies ServiceSystem[];

export default defineVerb({
  summary: "prints every file and command of an install, and touches nothing",
  args: {
    ...serviceArgs,
    platform: {
      type: "enum",
      options: [...systems],
      valueHint: systems.join("|"),
      description: "plan for this system instead of the one here",
    },
    ...commonArgs,
  },
  passesOn: true,
  examples: [
    ["ai-runtime service plan", "for this directory"],
    ["ai-runtime service plan ~/shop --platform darwin -- --model opus", "for launchd, with a flag for claude"],
  ],
  async run(args, output, rawArgs) {
    const system = systems.find((name) => name === args.platform);
    const request = { ...serviceRequest(args, rawArgs), system };
    const { plan } = plannedService(currentEnvironment(process.env), request);
    if (output.mode === "json") return output.json(planJson(plan));
    output.data(describePlan(plan, output));
  },
});

/** Modes as people write them. */
const planJson = ({ files, commands, notes }: ServicePlan): object => ({
  files: files.map(({ path, content, mode }) => ({ path, content, mode: octal(mode) })),
  commands,
  notes,
});

const octal = (mode: number): string => mode.toString(8).padStart(4, "0");

function describePlan({ files, commands, notes }: ServicePlan, { colors }: Output): string {
  const parts = files.map(({ path, content, mode }) =>
    [colors.bold(`${quoteWords([path])}  (${octal(mode)})`), indent(content)].join("\n"),
  );
  const then = commands.map((command) => `  ${quoteWords(command)}`);
  return [
    ...parts,
    [colors.bold("Then these commands"), ...then].join("\n"),
    [colors.bold("Notes"), ...notes.map((note) => `  ${note}`)].join("\n"),
  ].join("\n\n");
}

const indent = (content: string): string =>
  content
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => `  ${line}`.trimEnd())
    .join("\n");
