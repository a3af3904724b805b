import { currentEnvironment } from "../../app/environment.ts";
import { installEverything, installShims } from "../../app/install-everything.ts";
import { printInstallReport } from "../install-report.ts";
import { commonArgs, defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "registers everything with Claude: snapshot and checkpoint hooks, status line, skills, shims",
  details: `Comments, order, indentation and other hooks in Claude's settings stay as they are; a copy of the file is kept. Hooks of
session-snapshot install are replaced: ours do the same and more. A status line that is there goes on being shown, above ours.`,
  args: {
    "dry-run": { type: "boolean", description: "show the change and make none" },
    shims: { type: "boolean", description: "only cclaude and session-snapshot beside the executable; no hooks" },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime install --dry-run", "shows what would change in settings.json"],
    ["ai-runtime install", "twice is as good as once"],
  ],
  async run(args, output) {
    const dryRun = args["dry-run"] === true;
    const environment = currentEnvironment(process.env);
    const report = args.shims
      ? installShims(environment, { dryRun })
      : await installEverything(environment, { dryRun });
    const words = {
      unchanged: "Everything is installed already; nothing to do.",
      done: args.shims ? "Installed, without hooks." : "Installed. Claude takes it up in its next session.",
    };
    return printInstallReport(report, { dryRun, ...words }, output);
  },
});
