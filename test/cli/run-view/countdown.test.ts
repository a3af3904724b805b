import { describe, expect, test } from "bun:test";
import { showCountdown } from "../../../src/cli/run-view/countdown.ts";
import { formatClock } from "../../../src/cli/format.ts";

const now = new Date(2026, 10, 16, 14, 0, 0).getTime();
const until = now + 50 * 60_000;

describe("the countdown", () => {
  const written = (columns: number): string => {
    let text = "";
    const countdown = showCountdown({ columns, write: (part) => (text += part) }, until, now);
    countdown.tick(25 * 60_000 - 1_000);
    return text;
  };
  test.each([20, 40, 70, 100, 200])("never wraps at %p columns", (columns) => {
    expect(Bun.stringWidth(Bun.stripANSI(written(columns)).replaceAll("\r", ""))).toBeLessThan(columns);
    expect(written(columns)).toContain("24m 59s");
  });
  test.each([80, 120])("says at %p columns what Ctrl-C does, which differs for a viewer", (columns) => {
    for (const [watches, says] of [
      [false, "Ctrl-C stops"],
      [true, "Ctrl-C leaves"],
    ] as const) {
      let text = "";
      showCountdown({ columns, write: (part) => (text += part) }, until, now, { watches }).tick(25 * 60_000);
      expect(text).toContain(says);
    }
  });
  test("shows progress, clears it at the end, and notifies only when the limit has reset", () => {
    let text = "";
    const countdown = showCountdown({ columns: 80, write: (part) => (text += part) }, until, now);
    countdown.tick(25 * 60_000);
    expect(text).toContain("\x1b]9;4;1;50\x07");
    text = "";
    countdown.end(true);
    expect(text).toContain("\x1b]9;4;0;\x07");
    expect(text).toContain("\x1b]9;cclaude: the usage limit has reset");
    text = "";
    countdown.end(false);
    expect(text).not.toContain("\x1b]9;cclaude");
  });
});

test("adds the date to a clock time of another day", () => {
  expect(formatClock(until, now)).toBe("14:50");
  expect(formatClock(now + 3 * 86_400_000, now)).toBe("Thu 19 Nov 14:00");
});
