import { startDetached } from "../../io/process/start-detached.ts";
import { tryLock } from "../../store/lock.ts";
import { QueueJournal } from "../../store/queue/queue-journal.ts";
import { bestEffort } from "../best-effort.ts";
import type { Environment } from "../environment.ts";
import { ownExecutable } from "../own-executable.ts";
import { runPathsOf } from "../run-records/register-run.ts";
import { accountOf } from "../run-records/shared-limit.ts";

/** Starts the process that starts this account's queued runs, when runs wait and it does not live. */
export function ensureDispatcher(environment: Environment): void {
  const ensure = (): void => {
    const journal = new QueueJournal(runPathsOf(environment));
    const account = accountOf(environment);
    if (!journal.read().entries.some((entry) => entry.account === account)) return;
    journal.makeDirectory();
    const lock = tryLock(journal.dispatcherLock(account));
    if (!lock) return;
    lock.release();
    startDetached([ownExecutable(), "dispatch"], environment.variables, environment.home);
  };
  bestEffort(environment, ensure, undefined);
}
