import { superviseDetached } from "../../../app/run/detach-run.ts";
import { currentEnvironment } from "../../../app/environment.ts";
import { runPathsOf } from "../../../app/run-records/register-run.ts";
import { exitCodes } from "../../exit-codes.ts";
import { logView, runExitCode } from "../../run-view/run-view.ts";

/** Internal: `--detach`, `recover --all`, the queue and workers start it in the background, without a terminal. */
export async function runSupervise(id: string, how: string): Promise<void> {
  const environment = currentEnvironment(process.env);
  const view = logView;
  const isAsked = how === "asked" || how === "fleet";
  const fleet = how === "fleet" ? await import("../../../app/fleet/fleet-child.ts") : undefined;
  fleet?.endWithWorker();
  const ended = await superviseDetached(environment, runPathsOf(environment), id, {
    view: (record) => {
      const log = view(record);
      log.show({ kind: "started", plan: record.plan });
      return log;
    },
    recovered: isAsked ? undefined : { delay: Number(how) || 0, isQueued: how === "queued" },
  });
  process.exitCode = ended ? runExitCode(ended) : exitCodes.failed;
  // The input stays open while the worker lives.
  if (fleet) process.stdout.write(fleet.reportText(ended), () => process.exit());
}
