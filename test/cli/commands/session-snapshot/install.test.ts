import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { SETTINGS } from "../../../claude/settings/settings-fixtures.ts";
import { SnapshotInstallWorld } from "../../../support/worlds/snapshot-install-world.ts";

describe("install and uninstall on the built executable leave the settings byte-identical", () => {
  test("over every fixture", async () => {
    using world = new SnapshotInstallWorld();
    expect(SETTINGS.length).toBeGreaterThanOrEqual(50);
    for (const [name, text] of SETTINGS) {
      const before = Buffer.from(text, "utf8");
      writeFileSync(world.settings, before);
      expect([name, (await world.session("install")).exitCode]).toEqual([name, 0]);
      expect([name, readFileSync(world.settings).equals(before)]).toEqual([name, false]);
      const installed = readFileSync(world.settings);
      expect([name, (await world.session("install")).stderr]).toEqual([name, expect.stringContaining("nothing to do")]);
      expect([name, readFileSync(world.settings).equals(installed)]).toEqual([name, true]);
      expect([name, (await world.session("uninstall")).exitCode]).toEqual([name, 0]);
      expect([name, readFileSync(world.settings).equals(before)]).toEqual([name, true]);
    }
  });

  test("removes the file if there was none before", async () => {
    using world = new SnapshotInstallWorld();
    await world.session("install");
    expect(Object.keys(JSON.parse(world.text()).hooks)).toContain("SessionEnd");
    expect((statSync(world.settings).mode & 0o777).toString(8)).toBe("600");
    await world.session("uninstall");
    expect(existsSync(world.settings)).toBe(false);
  });

  test("adds only snapshot hooks and shims: no status line, no skills", async () => {
    using world = new SnapshotInstallWorld();
    await world.session("install");
    expect(Object.keys(JSON.parse(world.text()))).toEqual(["hooks"]);
    expect(world.text()).not.toContain("UserPromptSubmit");
    expect(readdirSync(join(world.home, ".claude")).sort()).toEqual(["projects", "settings.json"]);
  });

  test("keeps a dated copy of the old file, and its mode", async () => {
    using world = new SnapshotInstallWorld();
    writeFileSync(world.settings, '{"model":"opus"}');
    chmodSync(world.settings, 0o640);
    await world.session("install");
    const [backup = ""] = readdirSync(join(world.files.root, "backups/.settings"));
    expect(backup).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.json$/);
    expect(readFileSync(join(world.files.root, "backups/.settings", backup), "utf8")).toBe('{"model":"opus"}');
    expect((statSync(world.settings).mode & 0o777).toString(8)).toBe("640");
  });

  test("edits the target of a link, and keeps the link", async () => {
    using world = new SnapshotInstallWorld();
    const dotfiles = join(world.home, "dotfiles.json");
    writeFileSync(dotfiles, "{}\n");
    symlinkSync(dotfiles, world.settings);
    await world.session("install");
    expect(lstatSync(world.settings).isSymbolicLink()).toBe(true);
    expect(readFileSync(dotfiles, "utf8")).toContain("SessionEnd");
    await world.session("uninstall");
    expect(readFileSync(dotfiles, "utf8")).toBe("{}\n");
  });

  test("keeps a link to a missing file, and creates and removes the file at its target", async () => {
    using world = new SnapshotInstallWorld();
    const dotfiles = join(world.home, "dot");
    mkdirSync(dotfiles);
    symlinkSync("../dot/link.json", world.settings);
    symlinkSync("settings.json", join(dotfiles, "link.json"));
    expect((await world.session("install")).exitCode).toBe(0);
    expect(lstatSync(world.settings).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(dotfiles, "settings.json"), "utf8")).toContain("SessionEnd");
    await world.session("uninstall");
    expect(lstatSync(world.settings).isSymbolicLink()).toBe(true);
    expect(readdirSync(dotfiles)).toEqual(["link.json"]);
  });

  test("refuses a link into a missing directory, and keeps it", async () => {
    using world = new SnapshotInstallWorld();
    symlinkSync("../unmounted/settings.json", world.settings);
    const { exitCode, stderr } = await world.session("install");
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `settings.json is a link to ${join(world.home, "unmounted/settings.json")}, but the directory`,
    );
    expect(lstatSync(world.settings).isSymbolicLink()).toBe(true);
    expect(existsSync(join(world.home, "unmounted"))).toBe(false);
    expect(await world.session("uninstall")).toMatchObject({ exitCode: 0 });
  });

  test("removes the file if there was none before and Claude's directory is a link", async () => {
    using world = new SnapshotInstallWorld();
    renameSync(join(world.home, ".claude"), join(world.home, "elsewhere"));
    symlinkSync("elsewhere", join(world.home, ".claude"));
    await world.session("install");
    expect(world.text()).toContain("SessionEnd");
    await world.session("uninstall");
    expect(existsSync(world.settings)).toBe(false);
  });

  test("install updates the hooks after the executable has moved", async () => {
    using world = new SnapshotInstallWorld();
    await world.session("install");
    const moved = join(world.home, "moved");
    renameSync(world.bin, moved);
    const child = Bun.spawnSync([join(moved, "ai-runtime"), "session-snapshot", "install"], { env: world.env });
    expect(child.exitCode).toBe(0);
    expect(world.text()).toContain(join(moved, "ai-runtime"));
    expect(world.text()).not.toContain(world.bin);
  });
});

describe("refuses and changes nothing", () => {
  test.each([
    ["broken JSON", '{\n  "model": "opus",\n  "hooks": {\n', /settings\.json, line 4, column 1: /],
    ["another shape", '{"hooks": "x"}', /settings\.json, line 1, column \d+: .*hooks/],
    ["a list", "[]", /settings\.json, line 1, column 1: the settings are not an object/],
  ])("%s, with file, line and column", async (_what, text, message) => {
    using world = new SnapshotInstallWorld();
    writeFileSync(world.settings, text);
    const { exitCode, stderr, stdout } = await world.session("install");
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr).toContain("Nothing was changed.");
    expect(world.text()).toBe(text);
    expect(readdirSync(world.bin)).toEqual(["ai-runtime"]);
  });

  test("a file that is not UTF-8", async () => {
    using world = new SnapshotInstallWorld();
    writeFileSync(world.settings, Buffer.from([0x7b, 0xff, 0x7d]));
    expect(await world.session("install")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("is not valid UTF-8"),
    });
    expect(readFileSync(world.settings)).toEqual(Buffer.from([0x7b, 0xff, 0x7d]));
  });

  test("a dry run shows the diff on stdout", async () => {
    using world = new SnapshotInstallWorld();
    writeFileSync(world.settings, '{\n  "model": "opus"\n}\n');
    const { exitCode, stdout, stderr } = await world.session("install", "--dry-run");
    expect(exitCode).toBe(0);
    expect(stdout).toStartWith(`--- ${world.settings}\n+++ ${world.settings}\n@@ -1,3 +1,`);
    expect(stderr).toContain("would add PostToolUse hook\n");
    expect(stderr).toContain(`would place ${join(world.bin, "cclaude")}\n`);
    expect(world.text()).toBe('{\n  "model": "opus"\n}\n');
    expect(readdirSync(world.bin)).toEqual(["ai-runtime"]);
  });

  test("keeps a comment, but warns that Claude cannot read the file", async () => {
    using world = new SnapshotInstallWorld();
    writeFileSync(world.settings, '{\n  // mine\n  "model": "opus"\n}\n');
    const { exitCode, stderr } = await world.session("install");
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/line 2, column 3: .*Claude Code reads strict JSON and ignores the whole file/);
    expect((await world.session("status")).stdout).toMatch(/! .*line 2, column 3: /);
  });

  test("warns that disableAllHooks keeps Claude from running the hooks", async () => {
    using world = new SnapshotInstallWorld();
    writeFileSync(world.settings, '{"disableAllHooks": true}');
    expect((await world.session("status")).stdout).not.toMatch(/✔ hooks/);
    const { exitCode, stderr } = await world.session("install");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("! " + world.settings + " sets disableAllHooks: Claude Code runs no hooks");
    const { stdout } = await world.session("status");
    expect(stdout).toMatch(/^! hooks {4}in .*, but Claude does not run them; see below$/m);
    expect(stdout).toContain("sets disableAllHooks");
    const { hooks } = JSON.parse((await world.session("status", "--json")).stdout);
    expect(hooks).toMatchObject({ mode: "settings", active: false });
    expect((await world.session("uninstall")).stderr).not.toContain("disableAllHooks");
    expect(world.text()).toBe('{"disableAllHooks": true}');
  });

  test("an executable with another name", async () => {
    using world = new SnapshotInstallWorld();
    const other = join(world.bin, "ai-runtime-linux-x64");
    renameSync(world.program, other);
    const child = Bun.spawnSync([other, "session-snapshot", "install"], { env: world.env });
    expect(child.exitCode).toBe(1);
    expect(child.stderr.toString()).toContain("Rename the executable to ai-runtime");
    expect(existsSync(world.settings)).toBe(false);
  });

  test("but allows uninstall", async () => {
    using world = new SnapshotInstallWorld();
    await world.session("install");
    const other = join(world.bin, "ai-runtime-linux-x64");
    renameSync(world.program, other);
    const child = Bun.spawnSync([other, "session-snapshot", "uninstall"], { env: world.env });
    expect(child.exitCode).toBe(0);
    expect(existsSync(world.settings)).toBe(false);
    expect(readdirSync(world.bin)).toEqual(["ai-runtime-linux-x64"]);
  });
});
