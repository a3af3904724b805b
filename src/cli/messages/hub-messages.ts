import type { SetUp } from "../../app/hub/set-up.ts";
import { type Continued, settleWithHub } from "../../app/hub/fetch/continue-elsewhere.ts";
import { currentEnvironment } from "../../app/environment.ts";
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

/** Before claude opens a conversation: says in one or two lines what came from another machine. */
export async function settleHub(argv: readonly string[]): Promise<void> {
  const settled = await settleWithHub(currentEnvironment(process.env), argv);
  if (!settled) return;
  const lines =
    settled.kind === "unreachable"
      ? [`${settled.why}; continuing with the copy of this machine`]
      : continuedLines(settled);
  for (const line of lines) process.stderr.write(`cclaude: ${line}\n`);
}

export function continuedLines({ sessionId, kind, from, files, filesProblem }: Continued): string[] {
  const lines: string[] = [];
  if (kind === "new" || kind === "longer") lines.push(`session ${sessionId} continues from ${from}`);
  if (kind === "diverged") {
    lines.push(
      `session ${sessionId} continues from ${from}; what this machine had beside it is kept: session-snapshot list ${sessionId}`,
    );
  }
  if (files) lines.push(`${files} files are as they were on ${from}; session-snapshot undo takes that back`);
  if (filesProblem !== undefined) lines.push(`the files stay as they are: ${filesProblem}`);
  return lines;
}
