import { uninstallEverything } from "../../../app/install/install-everything.ts";
import { uninstallArgs, uninstallWith } from "../../messages/still-running.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "removes everything: hooks, status line, skills, shims; keeps snapshots and checkpoints",
  details: `Restores Claude's settings file byte for byte. Also removes the hooks of session-snapshot install. While hosts, runs or
services are alive it lists them and asks whether to stop them; without a terminal it needs --stop or --keep-running.`,
  args: { ...uninstallArgs, ...commonArgs },
  examples: [
    ["ai-runtime uninstall", "removes only what our installs added"],
    ["ai-runtime uninstall --stop", "stops hosts and runs, removes services, then uninstalls"],
  ],
  run(args, output, { environment }) {
    const done = "Uninstalled. Snapshots and checkpoints are kept.";
    return uninstallWith(environment, args, { uninstall: uninstallEverything, done }, output);
  },
});
