import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { untilFile } from "../../../support/until-file.ts";
import { SnapshotInstallWorld } from "../../../support/worlds/snapshot-install-world.ts";

describe("with claude-hooks", () => {
  test("installs a plugin instead; it passes PostToolUse on; uninstall removes it", async () => {
    using world = new SnapshotInstallWorld();
    const plugins = join(world.home, ".config/claude-hooks/plugins");
    mkdirSync(plugins, { recursive: true });
    expect((await world.session("install")).exitCode).toBe(0);
    expect(existsSync(world.settings)).toBe(false);
    const status = JSON.parse((await world.session("status", "--json")).stdout);
    const path = join(plugins, "PostToolUse/session-snapshot.ts");
    expect(status.hooks).toMatchObject({ mode: "plugin", path, events: ["PostToolUse"], active: true });
    expect((await world.session("status")).stdout).toContain("claude-hooks plugin");

    const plugin = (await import(path)).default as { name: string; version: string; run(payload: object): void };
    expect(plugin).toMatchObject({ name: "session-snapshot", version: expect.stringMatching(/^\d/) });
    world.grow("plugin-session", 300_000);
    const runner = `const { default: plugin } = await import(${JSON.stringify(path)});
      plugin.run({ session_id: "plugin-session", hook_event_name: "Stop" });
      plugin.run({ session_id: "plugin-session", hook_event_name: "PostToolUse" });`;
    const child = Bun.spawn([process.execPath, "-e", runner], { env: world.env });
    await child.exited;
    await untilFile(world.files.statePath("plugin-session"), (text) => text.includes('"PostToolUse"'));

    expect((await world.session("uninstall")).exitCode).toBe(0);
    expect(existsSync(path)).toBe(false);
  });

  test("does not touch a foreign plugin of that name", async () => {
    using world = new SnapshotInstallWorld();
    const directory = join(world.home, ".config/claude-hooks/plugins/PostToolUse");
    mkdirSync(directory, { recursive: true });
    const path = join(directory, "session-snapshot.ts");
    writeFileSync(path, "// mine\n");
    for (const _ of ["first", "second"]) {
      const { exitCode, stderr } = await world.session("install");
      expect(exitCode).toBe(3);
      expect(stderr).toContain(`! ${path} was not written by session-snapshot`);
      expect(stderr).not.toMatch(/✔|already installed/);
    }
    expect(JSON.parse((await world.session("status", "--json")).stdout).hooks).toMatchObject({ mode: "none" });
    expect((await world.session("status")).stdout).toContain("! hooks    not installed");
    await world.session("uninstall");
    expect(readFileSync(path, "utf8")).toBe("// mine\n");
  });

  test("removes earlier hooks from the settings, byte for byte", async () => {
    using world = new SnapshotInstallWorld();
    writeFileSync(world.settings, '{"model":"opus"}');
    await world.session("install");
    const plugins = join(world.home, ".config/claude-hooks/plugins");
    const path = join(plugins, "PostToolUse/session-snapshot.ts");
    const settings = world.text();
    mkdirSync(plugins, { recursive: true });
    expect(await world.session("install", "--dry-run")).toMatchObject({
      stdout: expect.stringContaining("-"),
      stderr: expect.stringMatching(/would remove Stop hook\n[^]*would write /),
    });
    expect(world.text()).toBe(settings);
    expect((await world.session("install")).exitCode).toBe(0);
    expect(world.text()).toBe('{"model":"opus"}');

    writeFileSync(world.settings, settings);
    const { problems } = JSON.parse((await world.session("status", "--json")).stdout);
    expect(problems).toEqual([expect.stringContaining(`twice, as ${path} and in ${world.settings}`)]);
    expect((await world.session("uninstall")).exitCode).toBe(0);
    expect(existsSync(path)).toBe(false);
    expect(world.text()).not.toContain("session-snapshot");
  });
});
