import { isTerminal } from "../../io/terminal/terminal-modes.ts";

/** Claude would be interactive, and a user can answer. */
export const isAtTerminal = (): boolean => isTerminal(0) && isTerminal(1) && isTerminal(2);
