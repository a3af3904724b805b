import { uninstallSnapshotHooks } from "../../../app/install/install.ts";
import { uninstallArgs, uninstallWith } from "../../messages/still-running.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "removes our hooks from Claude's settings, and the shims; keeps the snapshots",
  details: `Restores Claude's settings file byte for byte. Snapshots stay; to remove them afterwards, run ai-runtime
session-snapshot clean --all, because the command session-snapshot may be gone. While hosts, runs or services are alive
it lists them and asks whether to stop them; without a terminal it needs --stop or --keep-running.`,
  args: { ...uninstallArgs, ...commonArgs },
  examples: [["session-snapshot uninstall", "removes only what install added"]],
  run(args, output, { environment }) {
    const done = "Uninstalled. The snapshots are kept.";
    return uninstallWith(environment, args, { uninstall: uninstallSnapshotHooks, done }, output);
  },
});
