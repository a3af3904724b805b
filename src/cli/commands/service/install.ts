import { installService } from "../../../app/service/install-service.ts";
import { serviceArgs, serviceRequest } from "./service-arguments.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "installs and starts a service for a workspace",
  details: `Does what ai-runtime service plan prints, step by step, and undoes it if a step fails. If the service exists and the
options or PATH have changed, it updates and restarts the service; otherwise it does nothing.`,
  args: { ...serviceArgs, ...commonArgs },
  passesOn: true,
  examples: [
    ["ai-runtime service install -- --permission-mode acceptEdits", "installs a service for this directory"],
    ["ai-runtime service install ~/shop --watchdog 10m --env ANTHROPIC_API_KEY", "adds a watchdog and a variable"],
  ],
  async run(args, output, { environment, rawArgs }) {
    const installed = await installService(environment, serviceRequest(args, rawArgs));
    const { slug, changes, kept, notes, state } = installed;
    if (output.mode === "json") return output.json({ ...installed });
    for (const change of changes) output.note(change);
    for (const path of kept) output.note(`the replaced file is kept: ${path}`);
    for (const note of notes) output.note(note);
    if (changes.length === 0) output.success(`Service ${slug} is already installed and ${state.state}; nothing to do.`);
    else output.success(`Service ${slug} is installed and ${state.state}.`);
  },
});
