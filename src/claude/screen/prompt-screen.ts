import type { PromptState } from "../../core/host/continuation.ts";
import type { ExitScreen } from "../../core/host/hang-up.ts";
import { exitCommand } from "./prompt-keys.ts";
import { boxEnd, promptEdge, promptLine, selectedEntry, shows } from "./screen-texts.ts";

/** The rows of a screen, and the same rows without dim and reversed text: hints, and the cursor that Claude draws itself. */
export interface ScreenRows {
  readonly all: readonly string[];
  readonly firm: readonly string[];
}

/** Reads the state of the prompt. `ownText` is what the host types. */
export function readPromptScreen({ all, firm }: ScreenRows, ownText: string): PromptState {
  const at = firm.findLastIndex((row) => promptLine.test(row));
  const line = firm[at];
  if (line === undefined) return "unknown";
  if (selectedEntry.test(line) && firm.some((row) => shows("menu", row))) return "menu";
  // A long text continues in the next rows. Without an edge below it, only the first row is known to be text.
  const edge = all.findIndex((row, index) => index > at && promptEdge.test(row));
  const next = firm.slice(at + 1, Math.max(at + 1, edge)).map((row) => row.replace(boxStart, ""));
  const typed = [promptLine.exec(line)?.[1] ?? "", ...next].map((row) => row.replace(boxEnd, "")).join("");
  if (withoutSpaces(typed) === "") return "empty";
  return withoutSpaces(typed) === withoutSpaces(ownText) ? "ours" : "typed";
}

/** Reads the prompt where the host types the command to exit. */
export function readExitScreen(rows: ScreenRows): ExitScreen {
  return rows.all.some((row) => shows("exitDialog", row.trimEnd()))
    ? "exit-dialog"
    : readPromptScreen(rows, exitCommand);
}

/** Claude says that it waits for the reset and then continues. Escape ends that wait, but text can be typed as usual. */
export const showsOwnWait = ({ firm }: ScreenRows): boolean => firm.some((row) => shows("ownWait", row));

const boxStart = /^\s*│/;
const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, "");
