import { expect, test } from "bun:test";
import { desktopCommand } from "../../../src/core/notify/desktop-command.ts";
import { terminalNotice } from "../../../src/core/notify/terminal-notice.ts";

const hostile = "a\x1b]0;x\x07b\x07; $(rm -rf ~) \"'`<b>\n\u202eend";

test.each([
  ["osc9", "\x1b]9;Done: run x\x07"],
  ["osc777", "\x1b]777;notify;Done;run x\x07"],
  ["bell", "\x07"],
] as const)("%s for a terminal", (kind, bytes) => {
  expect(terminalNotice(kind, "Done", "run x")).toBe(bytes);
});

test.each(["osc9", "osc777"] as const)("a text cannot end the sequence of %s or start another", (kind) => {
  const bytes = terminalNotice(kind, hostile, hostile);
  // oxlint-disable-next-line no-control-regex
  expect(bytes.slice(1, -1)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
  if (kind === "osc777") expect(bytes.slice("\x1b]777;notify;".length).split(";")[0]).not.toContain(";");
});

test("a text never becomes part of a script", () => {
  for (const system of ["linux", "darwin", "windows"] as const) {
    const { words, variables } = desktopCommand(system, hostile, hostile);
    const given = [...words, ...Object.values(variables)].filter((word) => word.includes("rm -rf"));
    // The whole argument or variable is the text, but for the markup of notify-send.
    for (const text of given) expect([hostile, hostile.replace("<b>", "&lt;b&gt;")]).toContain(text);
    expect(given).toHaveLength(2);
  }
});
