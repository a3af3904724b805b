import { superviseDetached } from "../../app/detach-run.ts";
import { currentEnvironment } from "../../app/environment.ts";
import { runPathsOf } from "../../app/start-run.ts";
import { exitCodes } from "../exit-codes.ts";
import { logView, runExitCode } from "../run-view.ts";

/** What `--detach` and `recover --all` start: it has no terminal, and nobody waits for it. */
export async function runSupervise(id: string, how: string): Promise<void> {
  const environment = currentEnvironment(process.env);
  const view = logView;
  const ended = await superviseDetached(environment, runPathsOf(environment), id, {
    view: (record) => {
      const log = view(record);
      log.show({ kind: "started", plan: record.plan });
      return log;
    },
    recovered: how === "asked" ? undefined : { delay: Number(how) || 0 },
  });
  process.exitCode = ended ? runExitCode(ended) : exitCodes.failed;
}
