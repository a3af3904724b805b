import { fitSegments, readStatusLine, type StatusLine } from "../../../app/checkpoint/status-line.ts";
import type { ClockTime } from "../../../app/checkpoint/local-clock.ts";
import type { WindowUsage } from "../../../core/checkpoint/usage.ts";
import { formatDuration } from "../../format.ts";

/** Like a hook, it must not disturb Claude: always exits with 0 and prints only lines to show. */
export async function runStatusLine(words: readonly string[]): Promise<void> {
  const leave = (): never => process.exit(0);
  process.on("uncaughtException", leave);
  process.on("unhandledRejection", leave);
  // The user's own command can be anything, so it is not parsed.
  const chain = words[0] === "--first" ? words[1] : undefined;
  const status = await readStatusLine(process.env, chain);
  const line = renderLine(status);
  const before = status.chained ?? "";
  const text = line === "" ? before : `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}${line}\n`;
  // console.log, because setting up process.stdout costs more time than everything else here.
  if (text.endsWith("\n")) console.log(text.slice(0, -1));
  else if (text !== "") await new Promise((written) => process.stdout.write(text, written));
  await status.record();
  leave();
}

/** `2 need you · limit → 02:54 · ctx 43% · 5h 97% → 02:54 · 7d 40% → Thu 12:00 · saved 2m 5s ago`, as far as it is known. */
export function renderLine(status: Omit<StatusLine, "chained" | "record">): string {
  const { input, isContextFull, restorePrefix, limitResetsAt, savedAgo, needsYou, segments, width } = status;
  const clock = (time: number): string => formatClock(status.clock(time));
  const weekdayAndClock = (time: number): string => `${weekdays[status.clock(time).weekday]} ${clock(time)}`;
  const { five_hour: fiveHour, seven_day: sevenDay } = input?.usage ?? {};
  const texts = {
    "needs-you": needsYou === 0 ? "" : needsYou === 1 ? "1 needs you" : `${needsYou} need you`,
    limit: describeLimit(limitResetsAt, clock, weekdayAndClock),
    context: describeContext(input?.contextPercent ?? null, isContextFull, restorePrefix),
    "five-hour": fiveHour ? `5h ${describeUsage(fiveHour, clock)}` : "",
    "seven-day": sevenDay ? `7d ${describeUsage(sevenDay, weekdayAndClock)}` : "",
    saved: savedAgo === undefined ? "" : `saved ${formatDuration(savedAgo)} ago`,
  };
  return fitSegments(texts, segments, width);
}

const dayMs = 86_400_000;

function describeLimit(
  resetsAt: number | null | undefined,
  clock: (time: number) => string,
  weekdayAndClock: (time: number) => string,
): string {
  if (resetsAt === undefined) return "";
  if (resetsAt === null) return "limit";
  const left = resetsAt - Date.now();
  if (left <= 0) return "";
  const describeTime = left < dayMs ? clock : weekdayAndClock;
  return `limit → ${describeTime(resetsAt)}`;
}

function describeContext(percent: number | null, isFull: boolean, restorePrefix: string | undefined): string {
  if (isFull) return restorePrefix === undefined ? "ctx full" : `context full · ${restorePrefix} r restores`;
  if (percent === null) return "";
  // Claude rounds a small share to 0, but a conversation with an answer is never empty.
  return percent < 1 ? "ctx <1%" : `ctx ${Math.floor(percent)}%`;
}

function describeUsage({ percent, resetsAt }: WindowUsage, describeTime: (time: number) => string): string {
  return `${Math.floor(percent)}%${resetsAt === null ? "" : ` → ${describeTime(resetsAt)}`}`;
}

// Without Intl, whose start takes longer than the rest of the line.
const twoDigits = (value: number): string => String(value).padStart(2, "0");
const formatClock = ({ hour, minute }: ClockTime): string => `${twoDigits(hour)}:${twoDigits(minute)}`;
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
