import { superviseDetached } from "../../../app/run/detach-run.ts";
import { currentEnvironment } from "../../../app/environment.ts";
import { runPathsOf } from "../../../app/run-records/register-run.ts";
import { exitCodes } from "../../exit-codes.ts";
import { logView, runExitCode } from "../../run-view/run-view.ts";

/** Internal: `--detach`, `recover --all` and the queue start it in the background, without a terminal. */
export async function runSupervise(id: string, how: string): Promise<void> {
  const environment = currentEnvironment(process.env);
  const view = logView;
  const ended = await superviseDetached(environment, runPathsOf(environment), id, {
    view: (record) => {
      const log = view(record);
      log.show({ kind: "started", plan: record.plan });
      return log;
    },
    recovered: how === "asked" ? undefined : { delay: Number(how) || 0, isQueued: how === "queued" },
  });
  process.exitCode = ended ? runExitCode(ended) : exitCodes.failed;
}
