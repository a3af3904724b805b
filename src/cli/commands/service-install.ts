import { currentEnvironment } from "../../app/environment.ts";
import { installService } from "../../app/install-service.ts";
import { serviceArgs, serviceRequest } from "../service-request.ts";
import { commonArgs, defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "installs and starts a service for a workspace",
  details: `Does what ai-runtime service plan prints, step by step, and takes it all back when a step fails. With other options, or
another PATH, it changes the service that is there and restarts it; with the same ones it does nothing.`,
  args: { ...serviceArgs, ...commonArgs },
  passesOn: true,
  examples: [
    ["ai-runtime service install -- --permission-mode acceptEdits", "for this directory"],
    ["ai-runtime service install ~/shop --watchdog 10m --env ANTHROPIC_API_KEY", "watched, with a variable of yours"],
  ],
  async run(args, output, rawArgs) {
    const installed = await installService(currentEnvironment(process.env), serviceRequest(args, rawArgs));
    const { slug, changes, kept, notes, state } = installed;
    if (output.mode === "json") return output.json({ ...installed });
    for (const change of changes) output.note(change);
    for (const path of kept) output.note(`what was there before: ${path}`);
    for (const note of notes) output.note(note);
    if (changes.length === 0) output.success(`Service ${slug} is installed already and ${state.state}; nothing to do.`);
    else output.success(`Service ${slug} is installed and ${state.state}.`);
  },
});
