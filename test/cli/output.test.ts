import { describe, expect, test } from "bun:test";
import { createOutput, type Output, type OutputMode, wantsColor } from "../../src/cli/output.ts";

/** What goes where, of a terminal or of none. */
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

describe("data goes to stdout, talk to stderr", () => {
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

test("what came from elsewhere is one line, and cannot paint", () => {
  const caught = catcher("human");
  caught.output.warn("one\ntwo \u001b[2Jthree");
  caught.output.success("four\r\nfive");
  expect(caught.stderr()).toBe("! one two three\n✔ four five\n");
});

test("nobody is asked without a terminal, nor where only data is wanted: the answer is no", async () => {
  for (const [mode, isTTY] of [
    ["human", false],
    ["json", true],
    ["quiet", true],
  ] as const) {
    expect(await catcher(mode, isTTY).output.confirm("Sure?")).toBe(false);
  }
});

test("a terminal that does not know its width has a usual one", () => {
  expect(catcher("human", true).output).toMatchObject({ width: 100, isTerminal: true });
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
])("terminal %p with %p has colours: %p", (isTerminal, variables, colored) => {
  expect(wantsColor(isTerminal, variables)).toBe(colored);
});
