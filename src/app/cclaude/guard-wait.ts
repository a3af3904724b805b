import { onSignals } from "../../io/process/on-signals.ts";

/** Until the returned function is called, a signal that ends cclaude between two attempts first lets `settle` finish. */
export function guardWait(settle: (signal: NodeJS.Signals) => Promise<void>): () => void {
  const stop = onSignals(["SIGTERM", "SIGHUP"], (signal) => {
    stop();
    const die = (): boolean => process.kill(process.pid, signal);
    void settle(signal).then(die, die);
  });
  return stop;
}
