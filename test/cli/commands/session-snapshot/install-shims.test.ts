import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SnapshotInstallWorld } from "../../../support/worlds/snapshot-install-world.ts";

describe("shims", () => {
  test("start the executable under their names, and uninstall removes them but no foreign file", async () => {
    using world = new SnapshotInstallWorld();
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

test("creates no shims for an executable with another name", async () => {
  using world = new SnapshotInstallWorld();
  const alone = join(world.bin, "session-snapshot");
  renameSync(world.program, alone);
  const { exitCode } = Bun.spawnSync([alone, "install"], { env: world.env });
  expect(exitCode).toBe(0);
  expect(world.text()).toContain(alone);
  expect(readdirSync(world.bin)).toEqual(["session-snapshot"]);
});

describe.skipIf(process.platform === "win32")("a shim finds its executable", () => {
  test.each(["cclaude", "session-snapshot"])(
    "through links, in another directory and from any directory: %s",
    async (name) => {
      using world = new SnapshotInstallWorld();
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
    },
  );
});
