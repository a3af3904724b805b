import { constants } from "node:os";

/** The signal that an exit code above 128 stands for, as shells and wrappers report it. */
export function signalOf(exitCode: number): NodeJS.Signals | undefined {
  if (exitCode <= 128) return undefined;
  const found = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128);
  return found?.[0] as NodeJS.Signals | undefined;
}
