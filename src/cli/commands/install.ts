import { currentEnvironment } from "../../app/environment.ts";
import { installSnapshotHooks } from "../../app/install.ts";
import { printInstallReport } from "../install-report.ts";
import { commonArgs, defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "registers the snapshot hooks in Claude's settings, and the shims",
  details: `Comments, order, indentation and other hooks in the file stay as they are; a copy of it is kept.
Where claude-hooks is used (~/.config/claude-hooks/plugins), a plugin goes there instead.`,
  args: { "dry-run": { type: "boolean", description: "show the change and make none" }, ...commonArgs },
  examples: [
    ["session-snapshot install --dry-run", "shows what would change in settings.json"],
    ["session-snapshot install", "twice is as good as once"],
  ],
  async run(args, output) {
    const dryRun = args["dry-run"] === true;
    const report = await installSnapshotHooks(currentEnvironment(process.env), { dryRun });
    const words = {
      unchanged: "The hooks are installed already; nothing to do.",
      done: "Installed. Claude takes it up in its next session.",
    };
    return printInstallReport(report, { dryRun, ...words }, output);
  },
});
