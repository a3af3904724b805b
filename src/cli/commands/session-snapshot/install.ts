import { installSnapshotHooks } from "../../../app/install/install.ts";
import { startBackfill } from "../../../app/backfill/start-backfill.ts";
import { printInstallReport } from "../../messages/install-report.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "adds the snapshot hooks to Claude's settings, and creates the shims",
  details: `Comments, order, indentation and other hooks in the file stay unchanged; a copy of the file is kept. If you use
claude-hooks (~/.config/claude-hooks/plugins), it installs a plugin there instead.`,
  args: { "dry-run": { type: "boolean", description: "show the changes, but make none" }, ...commonArgs },
  examples: [
    ["session-snapshot install --dry-run", "shows what would change in settings.json"],
    ["session-snapshot install", "installs; safe to repeat"],
  ],
  async run(args, output, { environment }) {
    const dryRun = args["dry-run"] === true;
    const report = await installSnapshotHooks(environment, { dryRun });
    const words = {
      unchanged: "The hooks are already installed; nothing to do.",
      done: "Installed. Claude uses it from its next session on.",
    };
    const backfill = startBackfill(environment, { dryRun }) ?? null;
    return printInstallReport(report, { dryRun, ...words, backfill, now: environment.now() }, output);
  },
});
