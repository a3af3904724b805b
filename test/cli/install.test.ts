import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
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
import { SETTINGS } from "../claude/settings-fixtures.ts";
import { executable } from "../support/executable.ts";
import { HookWorld } from "../support/hook-world.ts";

setDefaultTimeout(60_000);

/** A world in which the executable lies in a directory of its own, as it does for users. */
class InstalledWorld extends HookWorld {
  readonly bin = join(this.home, "bin");
  readonly program = join(this.bin, "ai-runtime");
  readonly settings = join(this.home, ".claude/settings.json");

  constructor() {
    super();
    mkdirSync(this.bin);
    linkOrCopy(executable, this.program);
  }

  async session(...words: string[]) {
    const child = Bun.spawn([this.program, "session-snapshot", ...words], {
      env: this.env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { stdout, stderr, exitCode };
  }

  text(): string {
    return readFileSync(this.settings, "utf8");
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

describe("install and uninstall on the built executable leave the settings byte-identical", () => {
  test("over every fixture", async () => {
    using world = new InstalledWorld();
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
  }, 120_000);

  test("where there was no file there is none afterwards", async () => {
    using world = new InstalledWorld();
    await world.session("install");
    expect(Object.keys(JSON.parse(world.text()).hooks)).toContain("SessionEnd");
    expect((statSync(world.settings).mode & 0o777).toString(8)).toBe("600");
    await world.session("uninstall");
    expect(existsSync(world.settings)).toBe(false);
  });

  test("snapshot hooks and shims are all that it brings: no status line, no skills", async () => {
    using world = new InstalledWorld();
    await world.session("install");
    expect(Object.keys(JSON.parse(world.text()))).toEqual(["hooks"]);
    expect(world.text()).not.toContain("UserPromptSubmit");
    expect(readdirSync(join(world.home, ".claude")).sort()).toEqual(["projects", "settings.json"]);
  });

  test("the old file is kept, dated, and its mode stays", async () => {
    using world = new InstalledWorld();
    writeFileSync(world.settings, '{"model":"opus"}');
    chmodSync(world.settings, 0o640);
    await world.session("install");
    const [backup = ""] = readdirSync(join(world.files.root, "backups/.settings"));
    expect(backup).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.json$/);
    expect(readFileSync(join(world.files.root, "backups/.settings", backup), "utf8")).toBe('{"model":"opus"}');
    expect((statSync(world.settings).mode & 0o777).toString(8)).toBe("640");
  });

  test("a linked file is edited where it is, and stays linked", async () => {
    using world = new InstalledWorld();
    const dotfiles = join(world.home, "dotfiles.json");
    writeFileSync(dotfiles, "{}\n");
    symlinkSync(dotfiles, world.settings);
    await world.session("install");
    expect(lstatSync(world.settings).isSymbolicLink()).toBe(true);
    expect(readFileSync(dotfiles, "utf8")).toContain("SessionEnd");
    await world.session("uninstall");
    expect(readFileSync(dotfiles, "utf8")).toBe("{}\n");
  });

  test("a link to a file that is not there yet stays, and the file comes and goes where it leads", async () => {
    using world = new InstalledWorld();
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

  test("a link into a directory that is not there is refused, and stays", async () => {
    using world = new InstalledWorld();
    symlinkSync("../unmounted/settings.json", world.settings);
    const { exitCode, stderr } = await world.session("install");
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `settings.json is a link to ${join(world.home, "unmounted/settings.json")}, but there is no`,
    );
    expect(lstatSync(world.settings).isSymbolicLink()).toBe(true);
    expect(existsSync(join(world.home, "unmounted"))).toBe(false);
    expect(await world.session("uninstall")).toMatchObject({ exitCode: 0 });
  });

  test("where Claude's directory is a link and there was no file, there is none afterwards", async () => {
    using world = new InstalledWorld();
    renameSync(join(world.home, ".claude"), join(world.home, "elsewhere"));
    symlinkSync("elsewhere", join(world.home, ".claude"));
    await world.session("install");
    expect(world.text()).toContain("SessionEnd");
    await world.session("uninstall");
    expect(existsSync(world.settings)).toBe(false);
  });

  test("after the executable moved, install brings the hooks up to date", async () => {
    using world = new InstalledWorld();
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
    using world = new InstalledWorld();
    writeFileSync(world.settings, text);
    const { exitCode, stderr, stdout } = await world.session("install");
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr).toContain("Nothing was changed.");
    expect(world.text()).toBe(text);
    expect(readdirSync(world.bin)).toEqual(["ai-runtime"]);
  });

  test("what is not UTF-8", async () => {
    using world = new InstalledWorld();
    writeFileSync(world.settings, Buffer.from([0x7b, 0xff, 0x7d]));
    expect(await world.session("install")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("is not valid UTF-8"),
    });
    expect(readFileSync(world.settings)).toEqual(Buffer.from([0x7b, 0xff, 0x7d]));
  });

  test("a dry run shows the diff on stdout", async () => {
    using world = new InstalledWorld();
    writeFileSync(world.settings, '{\n  "model": "opus"\n}\n');
    const { exitCode, stdout, stderr } = await world.session("install", "--dry-run");
    expect(exitCode).toBe(0);
    expect(stdout).toStartWith(`--- ${world.settings}\n+++ ${world.settings}\n@@ -1,3 +1,`);
    expect(stderr).toContain("would add PostToolUse hook\n");
    expect(stderr).toContain(`would place ${join(world.bin, "cclaude")}\n`);
    expect(world.text()).toBe('{\n  "model": "opus"\n}\n');
    expect(readdirSync(world.bin)).toEqual(["ai-runtime"]);
  });

  test("a comment is kept, but said to keep Claude from reading the file", async () => {
    using world = new InstalledWorld();
    writeFileSync(world.settings, '{\n  // mine\n  "model": "opus"\n}\n');
    const { exitCode, stderr } = await world.session("install");
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/line 2, column 3: .*Claude Code reads strict JSON and ignores the whole file/);
    expect((await world.session("status")).stdout).toMatch(/! .*line 2, column 3: /);
  });

  test("disableAllHooks is said to keep Claude from running them", async () => {
    using world = new InstalledWorld();
    writeFileSync(world.settings, '{"disableAllHooks": true}');
    expect((await world.session("status")).stdout).not.toMatch(/✔ hooks/);
    const { exitCode, stderr } = await world.session("install");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("! " + world.settings + " has disableAllHooks: Claude Code runs no hooks");
    const { stdout } = await world.session("status");
    expect(stdout).toMatch(/^! hooks {4}in .*, but Claude does not run them; see below$/m);
    expect(stdout).toContain("has disableAllHooks");
    const { hooks } = JSON.parse((await world.session("status", "--json")).stdout);
    expect(hooks).toMatchObject({ mode: "settings", active: false });
    expect((await world.session("uninstall")).stderr).not.toContain("disableAllHooks");
    expect(world.text()).toBe('{"disableAllHooks": true}');
  });

  test("an executable that is not named as ours", async () => {
    using world = new InstalledWorld();
    const other = join(world.bin, "ai-runtime-linux-x64");
    renameSync(world.program, other);
    const child = Bun.spawnSync([other, "session-snapshot", "install"], { env: world.env });
    expect(child.exitCode).toBe(1);
    expect(child.stderr.toString()).toContain("Rename the executable to ai-runtime");
    expect(existsSync(world.settings)).toBe(false);
  });

  test("but it may uninstall", async () => {
    using world = new InstalledWorld();
    await world.session("install");
    const other = join(world.bin, "ai-runtime-linux-x64");
    renameSync(world.program, other);
    const child = Bun.spawnSync([other, "session-snapshot", "uninstall"], { env: world.env });
    expect(child.exitCode).toBe(0);
    expect(existsSync(world.settings)).toBe(false);
    expect(readdirSync(world.bin)).toEqual(["ai-runtime-linux-x64"]);
  });
});

describe("shims", () => {
  test("start the executable under their names, and go with uninstall; a foreign file of that name stays", async () => {
    using world = new InstalledWorld();
    writeFileSync(join(world.bin, "cclaude"), "#!/bin/sh\necho mine\n");
    await world.session("install");
    const shim = Bun.spawnSync([join(world.bin, "session-snapshot"), "--version"], { env: world.env });
    expect(shim.stdout.toString()).toStartWith("session-snapshot ");
    expect(await world.session("status", "--json")).toMatchObject({ exitCode: 0 });
    await world.session("uninstall");
    expect(readdirSync(world.bin).sort()).toEqual(["ai-runtime", "cclaude"]);
    expect(readFileSync(join(world.bin, "cclaude"), "utf8")).toContain("mine");
  });
});

test("an executable of another name gets no shims, which would start nothing", async () => {
  using world = new InstalledWorld();
  const alone = join(world.bin, "session-snapshot");
  renameSync(world.program, alone);
  const { exitCode } = Bun.spawnSync([alone, "install"], { env: world.env });
  expect(exitCode).toBe(0);
  expect(world.text()).toContain(alone);
  expect(readdirSync(world.bin)).toEqual(["session-snapshot"]);
});

describe.skipIf(process.platform === "win32")("a shim finds its executable", () => {
  test.each(["cclaude", "session-snapshot"])("through links, in another directory and from any: %s", async (name) => {
    using world = new InstalledWorld();
    await world.session("install");
    const other = join(world.home, "other place");
    mkdirSync(other);
    symlinkSync(join("../bin", name), join(other, "relative"));
    symlinkSync(join(other, "relative"), join(other, "absolute"));
    symlinkSync("absolute", join(other, name));
    const version = { exitCode: 0, stdout: expect.stringMatching(new RegExp(`^${name} `)), stderr: "" };
    for (const command of [`"${join(other, name)}"`, `cd "${other}" && ./${name}`, `PATH="${other}:$PATH" ${name}`]) {
      const child = Bun.spawnSync(["sh", "-c", `${command} --version`], { env: world.env });
      const { exitCode, stdout, stderr } = child;
      expect({ exitCode, stdout: stdout.toString(), stderr: stderr.toString() }).toEqual(version);
    }
  });
});

describe("with claude-hooks", () => {
  test("a plugin goes there instead; it hands PostToolUse over; uninstall removes it", async () => {
    using world = new InstalledWorld();
    const plugins = join(world.home, ".config/claude-hooks/plugins");
    mkdirSync(plugins, { recursive: true });
    expect((await world.session("install")).exitCode).toBe(0);
    expect(existsSync(world.settings)).toBe(false);
    const status = JSON.parse((await world.session("status", "--json")).stdout);
    const path = join(plugins, "PostToolUse/session-snapshot.ts");
    expect(status.hooks).toEqual({ mode: "plugin", path, events: ["PostToolUse"], active: true });
    expect((await world.session("status")).stdout).toContain("claude-hooks plugin");

    const plugin = (await import(path)).default as { name: string; version: string; run(payload: object): void };
    expect(plugin).toMatchObject({ name: "session-snapshot", version: expect.stringMatching(/^\d/) });
    world.grow("plugin-session", 300_000);
    const runner = `const { default: plugin } = await import(${JSON.stringify(path)});
      plugin.run({ session_id: "plugin-session", hook_event_name: "Stop" });
      plugin.run({ session_id: "plugin-session", hook_event_name: "PostToolUse" });`;
    const child = Bun.spawn([process.execPath, "-e", runner], { env: world.env });
    await child.exited;
    const { untilFile } = await import("../support/until-file.ts");
    await untilFile(world.files.statePath("plugin-session"), (text) => text.includes('"PostToolUse"'));

    expect((await world.session("uninstall")).exitCode).toBe(0);
    expect(existsSync(path)).toBe(false);
  });

  test("a plugin of that name that is not ours is left alone", async () => {
    using world = new InstalledWorld();
    const directory = join(world.home, ".config/claude-hooks/plugins/PostToolUse");
    mkdirSync(directory, { recursive: true });
    const path = join(directory, "session-snapshot.ts");
    writeFileSync(path, "// mine\n");
    for (const _ of ["first", "second"]) {
      const { exitCode, stderr } = await world.session("install");
      expect(exitCode).toBe(3);
      expect(stderr).toContain(`! ${path} is not ours`);
      expect(stderr).not.toMatch(/✔|installed already/);
    }
    expect(JSON.parse((await world.session("status", "--json")).stdout).hooks).toMatchObject({ mode: "none" });
    expect((await world.session("status")).stdout).toContain("! hooks    not installed");
    await world.session("uninstall");
    expect(readFileSync(path, "utf8")).toBe("// mine\n");
  });

  test("hooks that were in the settings before are taken out of them, byte for byte", async () => {
    using world = new InstalledWorld();
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
