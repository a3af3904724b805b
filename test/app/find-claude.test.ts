import { afterAll, expect, test } from "bun:test";
import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findClaude } from "../../src/app/find-claude.ts";
import { executable } from "../support/executable.ts";

const scratch = mkdtempSync(join(tmpdir(), "find-claude-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const own = join(scratch, "ai-runtime");
writeFileSync(own, "", { mode: 0o755 });

test.each([
  ["the executable itself", () => own],
  ["a symbolic link to it", () => makeLink("symbolic", symlinkSync)],
  ["a hard link to it", () => makeLink("hard", linkSync)],
])("refuses a CCLAUDE_CLAUDE_BIN that is this program: %s", (_what, make) => {
  const chosen = make();
  expect(() => findClaude({ CCLAUDE_CLAUDE_BIN: chosen }, own)).toThrow(
    `CCLAUDE_CLAUDE_BIN is "${chosen}", which is this program itself`,
  );
});

test("cclaude reports it and exits with 127", () => {
  const { exitCode, stderr } = Bun.spawnSync([executable, "cclaude", "-p", "x"], {
    env: { HOME: scratch, PATH: "/usr/bin:/bin", CCLAUDE_CLAUDE_BIN: executable },
    timeout: 20_000,
  });
  expect({ exitCode, stderr: stderr.toString() }).toEqual({
    exitCode: 127,
    stderr: `cclaude: CCLAUDE_CLAUDE_BIN is "${executable}", which is this program itself\n`,
  });
});

function makeLink(name: string, link: (from: string, to: string) => void): string {
  const path = join(scratch, name);
  link(own, path);
  return path;
}
