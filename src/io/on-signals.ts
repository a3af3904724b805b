import { platform } from "../platform/current.ts";

/**
 * Calls the listener for each of these signals, where the system has them, until the returned function is called. What we were
 * told to ignore when we were started, as by nohup, stays ignored.
 */
export function onSignals(signals: readonly NodeJS.Signals[], listener: (signal: NodeJS.Signals) => void): () => void {
  const known = signals.filter((signal) => platform.signals.includes(signal) && !platform.ignores(signal));
  for (const signal of known) process.on(signal, listener);
  return () => {
    for (const signal of known) process.off(signal, listener);
  };
}
