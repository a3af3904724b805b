import { uninstallAtLogin, uninstallEverything } from "../../../app/install/install-everything.ts";
import { printInstallReport } from "../../messages/install-report.ts";
import { uninstallArgs, uninstallWith } from "../../messages/still-running.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "removes everything: hooks, status line, skills, shims, start at login; keeps snapshots and checkpoints",
  details: `Restores Claude's settings file byte for byte. Also removes the hooks of session-snapshot install. While hosts, runs or
services are alive it lists them and asks whether to stop them; without a terminal it needs --stop or --keep-running.`,
  args: {
    "at-login": { type: "boolean", description: "only remove the start at login" },
    ...uninstallArgs,
    ...commonArgs,
  },
  examples: [
    ["ai-runtime uninstall", "removes only what our installs added"],
    ["ai-runtime uninstall --stop", "stops hosts and runs, removes services, then uninstalls"],
  ],
  async run(args, output, { environment }) {
    if (args["at-login"]) {
      const dryRun = args["dry-run"] === true;
      const report = await uninstallAtLogin(environment, { dryRun });
      const unchanged = "Nothing starts at login; nothing to do.";
      return printInstallReport(report, { dryRun, unchanged, done: "Nothing starts at login any more." }, output);
    }
    const done = "Uninstalled. Snapshots and checkpoints are kept.";
    return uninstallWith(environment, args, { uninstall: uninstallEverything, done }, output);
  },
});
