import { installEverything, installShims } from "../../../app/install/install-everything.ts";
import { startBackfill } from "../../../app/backfill/start-backfill.ts";
import { printInstallReport } from "../../messages/install-report.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "adds everything to Claude: snapshot and checkpoint hooks, status line, skills, shims",
  details: `Comments, order, indentation and other hooks in Claude's settings stay unchanged; a copy of the file is kept. The
hooks of session-snapshot install are replaced by these, which do the same and more. An existing status line stays,
above ours.`,
  args: {
    "dry-run": { type: "boolean", description: "show the changes, but make none" },
    shims: {
      type: "boolean",
      description: "only create cclaude and session-snapshot next to the executable; add no hooks",
    },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime install --dry-run", "shows what would change in settings.json"],
    ["ai-runtime install", "installs; safe to repeat"],
  ],
  async run(args, output, { environment }) {
    const dryRun = args["dry-run"] === true;
    const report = args.shims
      ? installShims(environment, { dryRun })
      : await installEverything(environment, { dryRun });
    const words = {
      unchanged: "Everything is already installed; nothing to do.",
      done: args.shims ? "Installed, without hooks." : "Installed. Claude uses it from its next session on.",
    };
    const backfill = args.shims ? undefined : startBackfill(environment, { dryRun });
    return printInstallReport(report, { dryRun, ...words, backfill: backfill ?? null, now: environment.now() }, output);
  },
});
