import { expect, test } from "bun:test";
import { settingsTable } from "../../../src/core/settings.ts";
import { roffText } from "../../../src/cli/help/man-page.ts";
import { executable } from "../../support/executable.ts";

test("escapes text that roff would read as requests", () => {
  expect(roffText(".gitignore\n'quoted' a\\b --all — and so on…")).toBe(
    "\\&.gitignore\n\\&'quoted' a\\eb \\-\\-all \\(em and so on...",
  );
});

const page = Bun.spawnSync([executable, "man"]).stdout.toString();

test("the manual page has every command of every program", () => {
  for (const words of [["--help"], ["checkpoint", "--help"], ["session-snapshot", "--help"]]) {
    const help = Bun.spawnSync([executable, ...words]).stdout.toString();
    const commands =
      help
        .split("\nCommands:\n")[1]
        ?.split("\n\n")[0]
        ?.matchAll(/^ {2}(\S+)/gm) ?? [];
    for (const [, name = ""] of commands) expect(page).toContain(` ${name.replaceAll("-", "\\-")}`);
  }
  expect(page).toContain("\\-\\-older\\-than");
  expect(page).toContain(".SH EXIT STATUS");
});

test("the manual page and the help of cclaude take the settings from the table", () => {
  const settings = page.split(".SH SETTINGS\n")[1]?.split(".SH ")[0] ?? "";
  for (const { variable, meaning } of Object.values(settingsTable)) {
    expect(settings).toContain(variable);
    expect(settings).toContain(roffText(meaning));
  }
  const help = Bun.spawnSync([executable, "cclaude", "--help"], { env: { COLUMNS: "200" } }).stdout.toString();
  const words = help.replaceAll(/\s+/g, " ");
  for (const key of ["claudeBinary", "cclaudeNoWait", "waitSeconds", "cclaudeRetrySeconds"] as const) {
    expect(words).toContain(`${settingsTable[key].variable} ${settingsTable[key].meaning}`);
  }
});

test.skipIf(Bun.which("groff") === null)("groff accepts it without warnings", () => {
  const child = Bun.spawnSync(["groff", "-man", "-Tutf8", "-ww", "-P-cbu"], { stdin: new TextEncoder().encode(page) });
  expect(child.stderr.toString()).toBe("");
  expect(child.stdout.toString()).toContain("session-snapshot restore [session] [path]... [options]");
});
