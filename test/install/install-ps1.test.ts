import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { executable } from "../support/executable.ts";
import { powershellErrors } from "../support/install/powershell-syntax.ts";

const root = join(import.meta.dir, "../..");
const script = readFileSync(join(root, "install.ps1"), "utf8");
const printed = (...words: string[]): string => Bun.spawnSync([executable, ...words]).stdout.toString();

describe("has valid PowerShell syntax:", () => {
  const scripts: Record<string, () => string> = {
    "install.ps1": () => script,
    "shims/cclaude.ps1": () => readFileSync(join(root, "shims/cclaude.ps1"), "utf8"),
    "shims/session-snapshot.ps1": () => readFileSync(join(root, "shims/session-snapshot.ps1"), "utf8"),
    "the completions": () => printed("completions", "powershell"),
    "the claude function": () => printed("shell-function", "powershell"),
  };
  for (const [name, read] of Object.entries(scripts)) {
    test(name, async () => {
      const text = read();
      expect(text).not.toBe("");
      expect(await powershellErrors(text)).toEqual([]);
    });
  }

  test("the syntax check finds an error", async () => {
    expect(await powershellErrors("function Broken { if ($true) { 'x' }\n")).not.toEqual([]);
  });
});

describe("install.ps1", () => {
  test("consists of functions and one call on its last line", () => {
    const outside = script
      .split("\n")
      .filter((line) => /^\S/.test(line) && !line.startsWith("#") && line !== "}")
      .filter((line) => !/^function [A-Z][A-Za-z]+-AiRuntime\w*( \{|\(.*\) \{.*)$/.test(line));
    expect(outside).toEqual(["Install-AiRuntime @args -ScriptRoot $PSScriptRoot"]);
    expect(script.trimEnd()).toEndWith("Install-AiRuntime @args -ScriptRoot $PSScriptRoot");
  });

  test("defines every function it calls, and calls every function it defines", () => {
    const defined = [...script.matchAll(/^function ([A-Z][\w-]+)/gm)].map(([, name]) => name ?? "").sort();
    const called = [...script.matchAll(/\b([A-Z][a-z]+-AiRuntime\w*)\b/g)].map(([, name]) => name ?? "");
    const counted = defined.filter((name) => called.filter((each) => each === name).length > 1);
    expect([...new Set(called)].sort()).toEqual(defined);
    expect(counted).toEqual(defined);
  });

  test("verifies before unpacking, and tries the new executable before replacing the old one", () => {
    const order = ["Get-FileHash", "Expand-Archive"].map((word) => script.indexOf(word));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    const steps = ["= Test-AiRuntimeCandidate", "Move-AiRuntimeExecutable -Candidate", "Set-Content"].map((word) =>
      script.indexOf(word),
    );
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(Math.min(...order, ...steps)).toBeGreaterThan(0);
  });

  test.skipIf(Bun.which("pwsh") === null)("changes nothing with -DryRun", () => {
    const command = ["pwsh", "-NoProfile", "-File", join(root, "install.ps1"), "-DryRun"];
    const child = Bun.spawnSync(command, { env: { ...process.env, LOCALAPPDATA: "/nonexistent" } });
    expect(child.exitCode).toBe(0);
    expect(child.stdout.toString()).toContain("would build from");
  });
});
