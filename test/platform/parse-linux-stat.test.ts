import { expect, test } from "bun:test";
import { parseLinuxStat } from "../../src/platform/parse-linux-stat.ts";

const line = (command: string, state = "S"): string =>
  `4711 (${command}) ${state} 1 4711 4711 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 10 20 18446744073709551615\n`;

test.each([
  ["an ordinary command", "claude"],
  ["spaces", "tmux: server"],
  ["parentheses", "a) S 1 (b"],
  ["a line feed", "a\nb"],
  ["a command made to look like the rest of the line", ") R 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 1111 ("],
  ["nothing", ""],
])("finds the start time after %s", (_why, command) => {
  expect(parseLinuxStat(line(command))).toBe("987654");
});

test.each(["Z", "X", "x"])("treats a process in state %s as ended", (state) => {
  expect(parseLinuxStat(line("claude", state))).toBeUndefined();
});

test.each(["", "4711 (claude", "4711 (claude) S 1 2", "<html>"])("refuses %p", (text) => {
  expect(() => parseLinuxStat(text)).toThrow("not a /proc/<pid>/stat line");
});
