import type { SetUp } from "../../app/hub/set-up.ts";
import type { Output } from "../output.ts";

/** The line is data: a script may pipe it to another machine. */
export function printSetUp({ shown, config, invitation }: SetUp, output: Output): void {
  if (output.mode === "json") return output.json({ hub: shown, machine: config.machine, line: invitation });
  output.success(`This machine (${config.name}) belongs to the hub ${shown}.`);
  output.note("To add a machine, run ai-runtime hub join there and paste this line. It holds the key:");
  output.data(invitation);
}

export const divergedLine = (sessionId: string): string =>
  `session ${sessionId} was continued on another machine and on this one; what is new here stays here until you resume it with cclaude --resume ${sessionId}, which keeps it as an earlier generation`;
