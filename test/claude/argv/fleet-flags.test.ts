import { expect, test } from "bun:test";
import { grantOf, unfitFlag, withOwnMode } from "../../../src/claude/argv/fleet-flags.ts";

test.each([
  [["--model", "opus", "--permission-mode", "acceptEdits"], undefined],
  [["--settings", "/tmp/x.json"], "--settings"],
  [["--mcp-config", "x"], "--mcp-config"],
  [["--add-dir", "/"], "--add-dir"],
  [["--permission-prompt-tool", "x"], "--permission-prompt-tool"],
  [["--allow-dangerously-skip-permissions"], "--allow-dangerously-skip-permissions"],
  [["--plugin-dir", "x"], "--plugin-dir"],
  [["--some-new-flag"], "--some-new-flag"],
  [["--model", "opus", "--", "x"], "--"],
  [["-m", "opus"], undefined],
])("%p is refused for %p", (flags, expected) => {
  expect(unfitFlag(flags)).toBe(expected as string);
});

test.each([
  [[], "default"],
  [["--permission-mode", "plan"], "default"],
  [["--permission-mode", "acceptEdits"], "acceptEdits"],
  [["--permission-mode=acceptEdits"], "acceptEdits"],
  [["--permission-mode", "acceptEdits", "--permission-mode", "bypassPermissions"], "bypassPermissions"],
  [["--permission-mode", "brand-new"], "bypassPermissions"],
  [["--dangerously-skip-permissions"], "bypassPermissions"],
  [["--allowedTools", "Bash"], "bypassPermissions"],
  [["--disallowedTools", "Bash"], "default"],
])("%p needs %p", (flags, expected) => {
  expect(grantOf(flags)).toBe(expected as "default");
});

test("a run without a mode gets the default one, so that a repository cannot choose another", () => {
  expect(withOwnMode(["--model", "opus"])).toEqual(["--model", "opus", "--permission-mode", "default"]);
  expect(withOwnMode(["--permission-mode", "plan"])).toEqual(["--permission-mode", "plan"]);
});
