import { expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { executable } from "../support/executable.ts";
import { HookWorld } from "../support/hook-world.ts";

setDefaultTimeout(60_000);

const readme = readFileSync(join(import.meta.dir, "../../README.md"), "utf8");

/** The commands that a section tells people to type. */
function commandsOf(section: string): string {
  const commands = readme.split(`\n## ${section}\n`)[1]?.split("\n## ")[0]?.split("```sh\n")[1]?.split("```")[0];
  if (commands === undefined) throw new Error(`the README has no commands under ${section}`);
  return commands;
}

test.skipIf(process.platform === "win32")(
  "what the README says of installing and uninstalling works, line by line",
  async () => {
    using world = new HookWorld();
    const bin = join(world.home, ".local/bin");
    mkdirSync(join(world.home, "dist"));
    copyFileSync(executable, join(world.home, "dist/ai-runtime"));
    world.env["PATH"] = `${bin}:/usr/bin:/bin`;
    const type = (commands: string) => {
      const child = Bun.spawnSync(["sh", "-e", "-c", commands], { env: world.env, cwd: world.home, stdin: "ignore" });
      return { exitCode: child.exitCode, stderr: child.stderr.toString() };
    };
    // The build is done: it is what is tested here.
    expect(type(commandsOf("Use it").replace("bun run build\n", ""))).toMatchObject({ exitCode: 0 });
    world.grow("some", 1_000);
    await world.hook("some");
    expect(type(commandsOf("Uninstall"))).toMatchObject({
      exitCode: 0,
      stderr: expect.not.stringContaining("not found"),
    });
    expect(readdirSync(bin)).toEqual([]);
    expect(existsSync(join(world.home, ".claude/settings.json"))).toBe(false);
    expect(existsSync(world.files.mirrorPath("some"))).toBe(false);
  },
);
