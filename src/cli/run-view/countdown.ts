import type { Countdown } from "../../app/cclaude/announcer.ts";
import { formatClock, formatDuration } from "../format.ts";

/** OSC 9;4: a progress bar in the taskbar or tab; terminals without it ignore the sequence. */
const progress = (percent: number): string => `\x1b]9;4;1;${percent}\x07`;
const noProgress = "\x1b]9;4;0;\x07";
/** OSC 9: a desktop notification, and a bell for terminals without it. */
const notification = (text: string): string => `\x1b]9;${text}\x07\x07`;
const clearLine = "\r\x1b[K";

/** One line that overwrites itself and never wraps. `watches`: Ctrl-C only leaves the view. */
export function showCountdown(
  terminal: { write(text: string): unknown; columns?: number | undefined },
  until: number,
  now: number,
  { program = "cclaude", watches = false } = {},
): Countdown {
  const whole = Math.max(1, until - now);
  return {
    tick: (left) => {
      const line = fitLine(program, until, left, { columns: terminal.columns || 80, watches });
      const percent = Math.min(100, Math.max(0, Math.round((1 - left / whole) * 100)));
      terminal.write(`${clearLine}${line}${progress(percent)}`);
    },
    end: (reached) => {
      terminal.write(`${clearLine}${noProgress}`);
      if (reached) terminal.write(notification(`${program}: the usage limit has reset, Claude continues`));
    },
  };
}

/** The longest line that fits the terminal. */
function fitLine(
  program: string,
  until: number,
  left: number,
  { columns, watches }: { readonly columns: number; readonly watches: boolean },
): string {
  const remaining = formatDuration(left);
  const clock = formatClock(until);
  const lines = [
    `${program}: waiting for the usage limit to reset at ${clock} · ${remaining} left · Ctrl-C ${watches ? "leaves" : "stops waiting"}`,
    `${program}: usage limit until ${clock} · ${remaining} left · Ctrl-C ${watches ? "leaves" : "stops"}`,
    `${program}: until ${clock} · ${remaining}`,
    remaining,
  ];
  return lines.find((line) => line.length < columns) ?? "";
}
