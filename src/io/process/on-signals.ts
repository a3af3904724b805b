import { platform } from "../../platform/current.ts";

/**
 * Calls the listener for each of these signals that the system has, until the returned function is called. A signal that this
 * process was started to ignore, as by nohup, stays ignored.
 */
export function onSignals(signals: readonly NodeJS.Signals[], listener: (signal: NodeJS.Signals) => void): () => void {
  const known = signals.filter((signal) => platform.signals.includes(signal) && !platform.ignores(signal));
  for (const signal of known) process.on(signal, listener);
  return () => {
    for (const signal of known) process.off(signal, listener);
  };
}
