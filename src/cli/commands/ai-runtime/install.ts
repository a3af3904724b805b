import { installEverything, installShims } from "../../../app/install/install-everything.ts";
import { startBackfill } from "../../../app/backfill/start-backfill.ts";
import { printInstallReport } from "../../messages/install-report.ts";
import { Failure } from "../../../core/failure.ts";
import { allValues, commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "adds everything to Claude: snapshot and checkpoint hooks, status line, skills, shims",
  details: `Comments, order, indentation and other hooks in Claude's settings stay unchanged; a copy of the file is kept. The
hooks of session-snapshot install are replaced by these, which do the same and more. An existing status line stays,
above ours.

With --at-login, the system also runs ai-runtime recover --all --boot once after each boot, when you log in: a systemd user unit, a
launchd agent or a task of the Task Scheduler. --dry-run prints every file and command of it.`,
  args: {
    "dry-run": { type: "boolean", description: "show the changes, but make none" },
    "at-login": {
      type: "boolean",
      description: "also continue what a reboot interrupted, at the next login; the setting recoverAtLogin says what",
    },
    env: {
      type: "string",
      valueHint: "NAME[=value]",
      description: "with --at-login: a variable for claude, with this or its current value; may be repeated",
    },
    shims: {
      type: "boolean",
      description: "only create cclaude and session-snapshot next to the executable; add no hooks",
    },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime install --dry-run", "shows what would change in settings.json"],
    ["ai-runtime install", "installs; safe to repeat"],
    ["ai-runtime install --at-login", "also continues interrupted runs after a reboot"],
  ],
  async run(args, output, { environment, rawArgs }) {
    const dryRun = args["dry-run"] === true;
    const variables = allValues(rawArgs, "env");
    if (args.shims && args["at-login"]) throw new Failure("usage", "give --shims or --at-login, not both");
    if (variables.length > 0 && !args["at-login"]) throw new Failure("usage", "--env needs --at-login");
    const atLogin = args["at-login"] ? { variables } : undefined;
    const report = args.shims
      ? installShims(environment, { dryRun })
      : await installEverything(environment, { dryRun, atLogin });
    const words = {
      unchanged: "Everything is already installed; nothing to do.",
      done: args.shims ? "Installed, without hooks." : "Installed. Claude uses it from its next session on.",
    };
    const backfill = args.shims ? undefined : startBackfill(environment, { dryRun });
    return printInstallReport(report, { dryRun, ...words, backfill: backfill ?? null, now: environment.now() }, output);
  },
});
