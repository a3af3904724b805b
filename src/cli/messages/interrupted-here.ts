import { currentEnvironment } from "../../app/environment.ts";
import { type InterruptedHere, takeInterruptedHere } from "../../app/run-records/interrupted-here.ts";
import { quotePosixWords } from "../../core/posix-quote.ts";
import { formatClock } from "../format.ts";
import { oneLine } from "../one-line.ts";
import { truncate } from "../table.ts";

const maxTitleLength = 50;

/** Tells the user at the terminal, once for each interruption and before claude takes the screen. */
export function announceInterruptedHere(argv: readonly string[]): void {
  const environment = currentEnvironment(process.env);
  const [newest, ...others] = takeInterruptedHere(environment, argv);
  if (newest) process.stderr.write(`cclaude: ${describe(newest, others, environment.now())}\n`);
}

function describe(
  { title, lastSeen, resume }: InterruptedHere,
  others: readonly InterruptedHere[],
  now: number,
): string {
  const name = title === "" ? "" : `"${truncate(oneLine(title), maxTitleLength)}", `;
  const list = others.some(({ isPlain }) => isPlain) ? "cclaude --resume" : "ai-runtime status";
  const more = others.length === 0 ? "" : ` (${others.length} more: ${list})`;
  return `an interrupted session of this directory (${name}${formatClock(lastSeen, now)}) can be continued: ${quotePosixWords([...resume])}${more}`;
}
