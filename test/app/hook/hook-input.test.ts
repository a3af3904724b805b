// Any input of a hook: nothing disturbs Claude, and nothing is written outside our directory.
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executable } from "../../support/executable.ts";
import { HookWorld } from "../../support/worlds/hook-world.ts";

const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

describe("no input disturbs Claude or makes us write outside our directory:", () => {
  test.each([
    ["empty", ""],
    ["not JSON", "{broken"],
    ["another shape", '[{"session_id":"x"}]'],
    ["binary", "\0\u0001\uFFFF"],
  ])("stdin: %s", async (_what, stdin) => {
    using world = new HookWorld();
    await world.hookWith(stdin);
    expect(world.log()).toMatch(/^\S+ no hook payload on stdin \(text\)\n$/);
  });

  test.each(["../x", "../../../../tmp/x", "a/b", "a\0b", "x".repeat(10_000), ".", "..", "-rf"])(
    "session id %j",
    async (hostile) => {
      using world = new HookWorld();
      world.grow(id, 1_000);
      await world.hookWith(
        JSON.stringify({ session_id: hostile, hook_event_name: "Stop", transcript_path: world.transcript(id) }),
      );
      expect(world.log()).toMatch(/invalid session id/);
      expect(readdirSync(world.files.root)).toEqual(["logs"]);
    },
  );

  test("stdin that never ends", async () => {
    using world = new HookWorld();
    const child = Bun.spawn([executable, "session-snapshot", "hook"], {
      env: world.env,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    child.stdin.write('{"session_id":');
    await child.stdin.flush();
    expect([await child.exited, await child.stdout.text(), await child.stderr.text()]).toEqual([0, "", ""]);
    expect(world.log()).toMatch(/no hook payload on stdin \(timeout\)/);
  });

  test.skipIf(process.getuid?.() !== 0 && process.platform === "win32")(
    "a directory that is not writable",
    async () => {
      using world = new HookWorld();
      world.grow(id, 1_000);
      await world.hook(id);
      const before = world.files.state(id);
      // A file in place of our directory: even root cannot write below it.
      rmSync(join(world.files.root, "locks"), { recursive: true });
      writeFileSync(join(world.files.root, "locks"), "");
      world.grow(id, 1_000, "more");
      await world.hook(id);
      expect(world.files.state(id)).toEqual(before);
      expect(world.log()).toMatch(/cannot make directory .*locks: a file has that name/);
    },
  );

  test("a transcript that is a directory, missing or unreadable", async () => {
    using world = new HookWorld();
    await world.hook(id);
    mkdirSync(world.transcript("directory"));
    await world.hook("directory");
    world.grow("unreadable", 1_000);
    chmodSync(world.transcript("unreadable"), 0);
    await world.hook("unreadable");
    await world.hook("pipe", "Stop", { transcript_path: "/dev/zero" });
  });

  test("a symbolic link in place of our directory", async () => {
    using world = new HookWorld();
    const elsewhere = join(world.home, "elsewhere");
    mkdirSync(elsewhere);
    mkdirSync(world.files.root, { recursive: true, mode: 0o700 });
    rmSync(join(world.files.root, "snapshots"), { recursive: true, force: true });
    symlinkSync(elsewhere, join(world.files.root, "snapshots"));
    world.grow(id, 1_000);
    await world.hook(id);
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(world.log()).toMatch(/it is a symbolic link/);
  });
});
