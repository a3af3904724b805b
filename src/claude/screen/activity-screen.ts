import type { HostedSignals } from "../../core/host/hosted-state.ts";
import type { Clock } from "../limits/api-error.ts";
import { readShownRetry } from "./own-retry.ts";
import type { ScreenRows } from "./prompt-screen.ts";
import { selectedEntry, shows } from "./screen-texts.ts";

/** Reads from the screen what Claude is doing. Earlier answers are on the screen too, so each sign is bound to its row. */
export function readActivity(rows: ScreenRows, clock: Clock): HostedSignals["screen"] {
  const { all, firm } = rows;
  const retry = readShownRetry(rows, clock);
  // 2.1.326 does not number every choice.
  const hasChoices = firm.some((row) => selectedEntry.test(row)) || all.some((row) => shows("confirm", row));
  const question = all.some((row) => shows("choice", row))
    ? "question"
    : all.some((row) => shows("permission", row))
      ? "permission"
      : undefined;
  return {
    isWorking: all.some((row) => shows("working", row)),
    question: hasChoices ? question : undefined,
    retryAt: retry?.why === "limit" ? retry.until : undefined,
  };
}
