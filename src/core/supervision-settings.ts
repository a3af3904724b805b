export interface SupervisionSettings {
  /** Leave at a limit instead of waiting for its end. */
  readonly noWait: boolean;
  /** Milliseconds to wait at a limit that does not say when it ends. */
  readonly unknownLimit: number;
  /** Milliseconds before the first restart after a crash. */
  readonly firstDelay: number;
}

/** A person at the terminal should not wait for what is usually over; a script can. */
const firstDelays = { interactive: 1, print: 5 };

/** A value that is no number of seconds is not there. */
export function readSupervisionSettings(
  variables: Record<string, string | undefined>,
  mode: "interactive" | "print",
): SupervisionSettings {
  const noWait = variables["CCLAUDE_NO_WAIT"];
  return {
    noWait: noWait !== undefined && noWait !== "" && noWait !== "0",
    unknownLimit: seconds(variables["AI_RUNTIME_WAIT_SECONDS"], 3_600),
    firstDelay: seconds(variables["CCLAUDE_RETRY_SECONDS"], firstDelays[mode]),
  };
}

function seconds(text: string | undefined, otherwise: number): number {
  const value = text === undefined || text.trim() === "" ? otherwise : Number(text);
  return 1_000 * (Number.isFinite(value) && value >= 0 ? value : otherwise);
}
