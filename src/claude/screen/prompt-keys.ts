/** Keys for Claude's terminal interface. */
export const promptKeys = {
  /** Closes a menu. */
  escape: "\x1b",
  send: "\r",
  /** Ctrl-U empties one row of the prompt. */
  clear: "\x15",
  /** Ctrl-C empties the whole prompt, also in vim mode. At an empty prompt, it is the first half of an exit. */
  drop: "\x03",
} as const;

/** A paste arrives whole in every version, also in vim mode, where typed letters would be commands. Enter does not belong to it. */
export const pasteText = (text: string): string => `\x1b[200~${text}\x1b[201~`;

/** Ends Claude at its prompt, in every version. */
export const exitCommand = "/exit";
