import { expect, setDefaultTimeout, test } from "bun:test";
import { roffText } from "../../src/cli/man-page.ts";
import { executable } from "../support/executable.ts";

setDefaultTimeout(60_000);

test("words that would be requests, or vanish, are words", () => {
  expect(roffText(".gitignore\n'quoted' a\\b --all — and so on…")).toBe(
    "\\&.gitignore\n\\&'quoted' a\\eb \\-\\-all \\(em and so on...",
  );
});

const page = Bun.spawnSync([executable, "man"]).stdout.toString();

test("the manual page has every command of every program, as their help does", () => {
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

test.skipIf(Bun.which("groff") === null)("groff has no complaint about it", () => {
  const child = Bun.spawnSync(["groff", "-man", "-Tutf8", "-ww", "-P-cbu"], { stdin: new TextEncoder().encode(page) });
  expect(child.stderr.toString()).toBe("");
  expect(child.stdout.toString()).toContain("session-snapshot restore [session] [options]");
});
