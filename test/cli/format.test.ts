import { describe, expect, test } from "bun:test";
import { formatBytes, formatCount, formatDuration, formatTime } from "../../src/cli/format.ts";
import { oneLine } from "../../src/cli/one-line.ts";
import { renderTable, truncate } from "../../src/cli/table.ts";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 kB"],
  [99_949, "99.9 kB"],
  [99_950, "100 kB"],
  [999_499, "999 kB"],
  [999_500, "1.0 MB"],
  [5_000_000_000, "5.0 GB"],
])("%d bytes are %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));

test.each([
  [-5, "0s"],
  [59_400, "59s"],
  [59_900, "1m"],
  [249_000, "4m 9s"],
  [3_599_000, "59m 59s"],
  [7_200_000, "2h"],
  [7_985_000, "2h 13m"],
  [86_400_000 * 3, "3d"],
  [86_400_000 * 3 + 59_000, "3d"],
  [86_400_000 * 3 - 1, "3d"],
  [86_400_000 * 3 - 1_000, "2d 23h"],
])("formats %d ms in its two largest units: %s", (milliseconds, text) =>
  expect(formatDuration(milliseconds)).toBe(text),
);

test.each([
  [999, "999"],
  [1_499, "1k"],
  [199_600, "200k"],
  [1_234_567, "1.2M"],
])("%d tokens are %s", (count, text) => expect(formatCount(count)).toBe(text));

test("shows the date only when it is another day", () => {
  const now = new Date(2026, 10, 16, 12, 0, 0).getTime();
  expect(formatTime(new Date(2026, 10, 16, 2, 4, 9).getTime(), now)).toBe("02:04:09");
  expect(formatTime(new Date(2026, 10, 15, 23, 4, 9).getTime(), now)).toBe("2026-11-15 23:04:09");
});

test("a table stays aligned with wide characters and shrinks on a narrow terminal", () => {
  const columns = [{ title: "n", align: "right" }, { title: "step", shrinksTo: 8 }, { title: "end" }] as const;
  const rows = [
    ["1", "日本語のテスト", "x"],
    ["10", "a long step that does not fit the terminal", "y"],
  ];
  expect(renderTable(columns, rows, 24)).toEqual([
    " n  step             end",
    " 1  日本語のテスト   x",
    "10  a long step th…  y",
  ]);
});

test("a cut text never exceeds its width", () => {
  for (let width = 1; width < 12; width++)
    expect(Bun.stringWidth(truncate("日本語 text 🎉 x", width))).toBeLessThanOrEqual(width);
});

describe("a table on a terminal of any width", () => {
  const columns = [
    { title: "session", shrinksTo: 5 },
    { title: "project", shrinksTo: 7 },
    { title: "size", align: "right", leavesAs: 2 },
    { title: "age", align: "right" },
    { title: "marks", align: "right", leavesAs: 1 },
  ] as const;
  const rows = [["1b9d6bcd-bbfd", "/home/me/shop", "1.2 kB", "3d", "12"]];

  test.each<[number, string, string]>([
    [50, "session        project          size  age  marks", "1b9d6bcd-bbfd  /home/me/shop  1.2 kB   3d     12"],
    [43, "session        project     size  age  marks", "1b9d6bcd-bbfd  /home/m…  1.2 kB   3d     12"],
    [36, "session  project    size  age  marks", "1b9d6b…  /home/…  1.2 kB   3d     12"],
    [27, "sess…  project    size  age", "1b9d…  /home/…  1.2 kB   3d"],
    [19, "sess…  project  age", "1b9d…  /home/…   3d"],
    [10, "sess…  project  age", "1b9d…  /home/…   3d"],
  ])("%d columns", (width, head, row) => {
    expect(renderTable(columns, rows, width)).toEqual([head, row]);
  });
});

test("removes escape codes and line breaks from foreign text", () => {
  const hostile = "a\x1b[31mb\x1b]0;title\x07c\nd\r\te\x9b2Jf\u202eg\x07\x00h\u2028i";
  expect(oneLine(hostile)).toMatch(/^[ -~]+$/);
  expect(oneLine("ordinary: 日本語, naïve, 👩‍👩‍👧 (x)")).toBe("ordinary: 日本語, naïve, 👩‍👩‍👧 (x)");
  expect(renderTable([{ title: "x" }, { title: "y" }], [["a\nb", "\x1b[1mc"]], 80)).toEqual(["x    y", "a b  c"]);
});
