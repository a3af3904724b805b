import { expect, test } from "bun:test";
import { testProgress } from "../../scripts/test-progress.ts";

test("counts files, hides passed tests, and shows a failure below its file", () => {
  const output = [
    "bun test v1.4.4",
    "",
    "test/core/a.test.ts:",
    "(pass) adds [0.05ms]",
    "",
    "test/core/b.test.ts:",
    "(pass) chooses {",
    '  kind: "newest",',
    "} mark 5 [0.08ms]",
    "error: expected 2",
    "(fail) subtracts [1.20ms]",
    "(skip) divides",
    "",
    "test/core/a.test.ts:",
    "(pass) multiplies",
    " 2 pass",
  ];
  const take = testProgress(2, () => "3s");
  expect(output.flatMap(take)).toEqual([
    "bun test v1.4.4",
    "1 of 2 files, 3s",
    "2 of 2 files, 3s",
    "",
    "test/core/b.test.ts:",
    "error: expected 2",
    "(fail) subtracts [1.20ms]",
    " 2 pass",
  ]);
});

test("prints at most twenty lines of progress", () => {
  const take = testProgress(332, () => "1m");
  const lines = Array.from({ length: 332 }, (_, nth) => take(`test/core/t${nth}.test.ts:`)).flat();
  expect(lines).toHaveLength(20);
  expect(lines.at(-1)).toBe("332 of 332 files, 1m");
});
