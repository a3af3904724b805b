import { readStatusLine, type StatusLine } from "../../app/status-line.ts";
import { formatDuration } from "../format.ts";

/** Like a hook, it must not disturb: exit 0, nothing but lines to show. */
export async function runStatusLine(words: readonly string[]): Promise<void> {
  const leave = (): never => process.exit(0);
  process.on("uncaughtException", leave);
  process.on("unhandledRejection", leave);
  // The user's own command may be anything: it is passed on as it is, and not looked at.
  const chain = words[0] === "--first" ? words[1] : undefined;
  const status = await readStatusLine(process.env, chain);
  const line = renderLine(status);
  const before = status.chained ?? "";
  const text = line === "" ? before : `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}${line}\n`;
  // Not process.stdout: setting it up costs more than everything else here.
  if (text.endsWith("\n")) console.log(text.slice(0, -1));
  else if (text !== "") await new Promise((written) => process.stdout.write(text, written));
  await status.record();
  leave();
}

/** `ctx 43% · 5h 97% → 02:54 · 7d 40% · saved 2m ago`, of which Claude does not always tell all. */
export function renderLine({ input, savedAgo }: Pick<StatusLine, "input" | "savedAgo">): string {
  const { five_hour: fiveHour, seven_day: sevenDay } = input?.usage ?? {};
  const percent = (value: number): string => `${Math.floor(value)}%`;
  const reset = fiveHour?.resetsAt ? ` → ${clock(fiveHour.resetsAt)}` : "";
  return [
    ...(input?.contextPercent == null ? [] : [`ctx ${percent(input.contextPercent)}`]),
    ...(fiveHour ? [`5h ${percent(fiveHour.percent)}${reset}`] : []),
    ...(sevenDay ? [`7d ${percent(sevenDay.percent)}`] : []),
    ...(savedAgo === undefined ? [] : [`saved ${formatDuration(savedAgo)} ago`]),
  ].join(" · ");
}

function clock(time: number): string {
  const date = new Date(time);
  return `${String(date.getHours()).padStart(2, "0")}:${String(date.getMinutes()).padStart(2, "0")}`;
}
