import type { Signal } from "../../core/restart/signal.ts";
import { onSignals } from "../../io/process/on-signals.ts";
import { isStopRequested } from "../../store/runs/run-registry.ts";
import { bestEffort } from "../best-effort.ts";
import type { Supervised } from "./run-supervisor.ts";

/** A stop arrives as a signal. The request on disk covers a lost signal, and systems without signals. */
const stopCheckIntervalMs = 5_000;

/** Posts every request to end the run, from the user or the system, until the returned function is called. */
export function listenForStops(
  { environment, paths, record, detached }: Supervised,
  post: (signal: Signal) => void,
): () => void {
  const isRequested = (): boolean => bestEffort(environment, () => isStopRequested(paths, record.plan.id), false);
  const check = (): void => {
    if (isRequested()) post({ kind: "stop" });
  };
  const unlisten = onSignals(["SIGINT", "SIGTERM", "SIGHUP"], (signal) => {
    if (isRequested()) post({ kind: "stop" });
    else if (signal === "SIGINT") post({ kind: "interrupted" });
    else if (signal !== "SIGHUP" || !detached) post({ kind: "interrupted", bySystem: true });
  });
  const looking = setInterval(check, stopCheckIntervalMs);
  check();
  return () => {
    clearInterval(looking);
    unlisten();
  };
}
