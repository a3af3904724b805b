import { currentEnvironment } from "../../app/environment.ts";
import { uninstallEverything } from "../../app/install-everything.ts";
import { printInstallReport } from "../install-report.ts";
import { commonArgs, defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "takes all of it out again: hooks, status line, skills, shims; keeps snapshots and checkpoints",
  details: `The settings file is then, byte for byte, what it was before. Hooks of session-snapshot install go as well.`,
  args: { "dry-run": { type: "boolean", description: "show the change and make none" }, ...commonArgs },
  examples: [["ai-runtime uninstall", "removes only what our installs added"]],
  async run(args, output) {
    const dryRun = args["dry-run"] === true;
    const report = await uninstallEverything(currentEnvironment(process.env), { dryRun });
    const words = {
      unchanged: "Nothing of ours is installed; nothing to do.",
      done: "Uninstalled. Snapshots and checkpoints are kept.",
    };
    return printInstallReport(report, { dryRun, ...words }, output);
  },
});
