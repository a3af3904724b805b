import { currentEnvironment } from "../../app/environment.ts";
import { uninstallSnapshotHooks } from "../../app/install.ts";
import { printInstallReport } from "../install-report.ts";
import { commonArgs, defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "removes our hooks from Claude's settings, and the shims; keeps the snapshots",
  details: `The settings file is then, byte for byte, what it was before the install. Snapshots stay; as the name
session-snapshot may be gone then, ai-runtime session-snapshot clean removes them.`,
  args: { "dry-run": { type: "boolean", description: "show the change and make none" }, ...commonArgs },
  examples: [["session-snapshot uninstall", "removes only what install added"]],
  async run(args, output) {
    const dryRun = args["dry-run"] === true;
    const report = await uninstallSnapshotHooks(currentEnvironment(process.env), { dryRun });
    const words = {
      unchanged: "Nothing of ours is installed; nothing to do.",
      done: "Uninstalled. The snapshots are kept.",
    };
    return printInstallReport(report, { dryRun, ...words }, output);
  },
});
