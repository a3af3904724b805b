import { describe, expect, test } from "bun:test";
import { createOutput, type Output, type OutputMode, wantsColor } from "../../src/cli/output.ts";

/** An output that collects what is written to stdout and stderr, with or without a terminal. */
function catcher(mode: OutputMode, isTTY = false): { output: Output; stdout: () => string; stderr: () => string } {
  const said = { stdout: "", stderr: "" };
  const stream = (name: "stdout" | "stderr"): NodeJS.WriteStream =>
    ({ isTTY, columns: 0, write: (text: string) => ((said[name] += text), true) }) as unknown as NodeJS.WriteStream;
  const terminal = { stdout: stream("stdout"), stderr: stream("stderr"), stdin: { isTTY }, variables: {} };
  return { output: createOutput(mode, terminal), stdout: () => said.stdout, stderr: () => said.stderr };
}

function sayAll(output: Output): void {
  output.data("data");
  output.json({ a: 1 });
  output.note("a note");
  output.success("done");
  output.warn("beware");
}

describe("data goes to stdout, messages go to stderr", () => {
  test.each<[mode: OutputMode, stderr: string]>([
    ["human", "a note\n✔ done\n! beware\n"],
    ["quiet", "! beware\n"],
    ["json", "! beware\n"],
  ])("%s", (mode, stderr) => {
    const caught = catcher(mode);
    sayAll(caught.output);
    expect(caught.stdout()).toBe('data\n{"a":1}\n');
    expect(caught.stderr()).toBe(stderr);
  });
});

test("prints foreign text as one line without escape codes", () => {
  const caught = catcher("human");
  caught.output.warn("one\ntwo \u001b[2Jthree");
  caught.output.success("four\r\nfive");
  expect(caught.stderr()).toBe("! one two three\n✔ four five\n");
});

test("confirm answers no without a terminal, and in quiet and JSON mode", async () => {
  for (const [mode, isTTY] of [
    ["human", false],
    ["json", true],
    ["quiet", true],
  ] as const) {
    expect(await catcher(mode, isTTY).output.confirm("Sure?")).toBe(false);
  }
});

test("uses a default width when the terminal reports none", () => {
  expect(catcher("human", true).output).toMatchObject({ width: 100, isTerminal: true });
});

test("tables are as wide as the terminal, and unlimited in a pipe or a file", () => {
  expect(catcher("human", true).output.tableWidth).toBe(100);
  expect(catcher("human", false).output.tableWidth).toBe(Infinity);
});

test.each<[isTerminal: boolean | undefined, variables: Record<string, string>, colored: boolean]>([
  [true, {}, true],
  [false, {}, false],
  [undefined, {}, false],
  [true, { TERM: "dumb" }, false],
  [true, { NO_COLOR: "1" }, false],
  [true, { NO_COLOR: "" }, true],
  [true, { NO_COLOR: "0", FORCE_COLOR: "1" }, false],
  [false, { FORCE_COLOR: "1" }, true],
  [true, { FORCE_COLOR: "0" }, false],
])("terminal %p with %p has colors: %p", (isTerminal, variables, colored) => {
  expect(wantsColor(isTerminal, variables)).toBe(colored);
});
