import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InstalledWorld } from "../../../support/worlds/installed-world.ts";

const settings = '{\n  // mine\n  "model": "opus",\n  "statusLine": { "type": "command", "command": "my-line" }\n}\n';

/** Every file in the home, except in our own directory and in Claude's checkpoints. */
function snapshotOf(world: InstalledWorld): Record<string, string> {
  const names = readdirSync(world.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "ai-runtime")
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes("/.config/"));
  return Object.fromEntries(names.map((path) => [path, readFileSync(path, "utf8")]));
}

describe("ai-runtime install and uninstall", () => {
  const orders: string[][] = [
    ["install", "uninstall"],
    ["install", "install", "uninstall"],
    ["session-snapshot install", "install", "session-snapshot uninstall", "uninstall"],
    ["session-snapshot install", "install", "uninstall", "session-snapshot uninstall"],
    ["install", "session-snapshot install", "session-snapshot uninstall", "uninstall"],
  ];
  test.each(orders.map((order) => [order.join(", "), order] as const))(
    "%s restores the original state",
    async (_name, order) => {
      using world = new InstalledWorld();
      writeFileSync(world.settings, settings);
      const before = snapshotOf(world);
      for (const words of order) expect([words, (await world.run(...words.split(" "))).exitCode]).toEqual([words, 0]);
      expect(snapshotOf(world)).toEqual(before);
      expect(existsSync(join(world.home, ".claude/skills"))).toBe(false);
    },
  );

  test.each(["session-snapshot install", "install"])("%s reports a claude without a readable version", async (line) => {
    using world = new InstalledWorld();
    const { stderr } = await world.run(...line.split(" "));
    expect(stderr).toContain("! claude is not on PATH: only the hooks that every version supports are installed");
    const claude = join(world.home, "claude");
    writeFileSync(claude, "#!/bin/sh\necho '2.1.326 (Claude Code)'\n", { mode: 0o755 });
    world.env["CCLAUDE_CLAUDE_BIN"] = claude;
    const again = await world.run(...line.split(" "));
    expect(again.stderr).toContain("add StopFailure hook\n");
    expect(again.stderr).not.toContain("every version");
  });

  test("installs everything once; a second install, or that of session-snapshot, changes nothing", async () => {
    using world = new InstalledWorld();
    await world.run("session-snapshot", "install");
    const { stderr } = await world.run("install");
    expect(stderr).toContain("remove Stop hook of session-snapshot\n");
    expect(stderr).toContain("set the status line\n");
    const { hooks, statusLine } = JSON.parse(world.text());
    expect(Object.keys(hooks).sort()).toEqual([
      "PostToolUse",
      "PreCompact",
      "PreToolUse",
      "SessionEnd",
      "SessionStart",
      "Stop",
      "UserPromptSubmit",
    ]);
    for (const groups of Object.values(hooks)) expect(groups).toHaveLength(1);
    expect(hooks.PostToolUse[0].hooks[0]).toMatchObject({ command: `${world.program} hook`, async: true });
    expect(statusLine).toEqual({ type: "command", command: `${world.program} statusline` });
    expect((await world.run("install")).stderr).toContain("nothing to do");
    expect((await world.run("session-snapshot", "install")).stderr).toContain("nothing to do");
    expect((await world.run("session-snapshot", "uninstall")).stderr).toContain("ai-runtime uninstall removes them");
    expect(JSON.parse((await world.run("session-snapshot", "status", "--json")).stdout).hooks.mode).toBe("settings");
    expect(JSON.parse(world.text())).toEqual({ hooks, statusLine });
  });

  test("a dry run changes nothing and shows the diff", async () => {
    using world = new InstalledWorld();
    writeFileSync(world.settings, settings);
    const before = snapshotOf(world);
    const { stdout, stderr, exitCode } = await world.run("install", "--dry-run");
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      `+  "statusLine": { "type": "command", "command": "${world.program} statusline --first my-line" }`,
    );
    expect(stderr).toContain("would write ");
    expect(snapshotOf(world)).toEqual(before);
  });

  test("keeps a foreign or changed skill, and reports it", async () => {
    using world = new InstalledWorld();
    const skill = (name: string): string => join(world.home, ".claude/skills", name, "SKILL.md");
    mkdirSync(join(world.home, ".claude/skills/checkpoint"), { recursive: true });
    writeFileSync(skill("checkpoint"), "mine\n");
    expect((await world.run("install")).stderr).toContain("checkpoint/SKILL.md differs from what ai-runtime wrote");
    writeFileSync(skill("ai-runtime"), `${readFileSync(skill("ai-runtime"), "utf8")}and a word of mine\n`);
    expect((await world.run("uninstall")).stderr).toContain("ai-runtime/SKILL.md was changed after");
    expect(readFileSync(skill("checkpoint"), "utf8")).toBe("mine\n");
    expect(readFileSync(skill("ai-runtime"), "utf8")).toContain("and a word of mine");
  });

  test("removes its claude-hooks plugin, so that nothing runs twice", async () => {
    using world = new InstalledWorld();
    mkdirSync(join(world.home, ".config/claude-hooks/plugins"), { recursive: true });
    await world.run("session-snapshot", "install");
    const plugin = join(world.home, ".config/claude-hooks/plugins/PostToolUse/session-snapshot.ts");
    expect(existsSync(plugin)).toBe(true);
    await world.run("install");
    expect(existsSync(plugin)).toBe(false);
    await world.run("session-snapshot", "install");
    expect(existsSync(plugin)).toBe(false);
  });
});
