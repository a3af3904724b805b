import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { executable } from "../../support/executable.ts";
import { HookWorld } from "../../support/worlds/hook-world.ts";

function inShell(world: HookWorld, script: string, words: string[]) {
  const child = Bun.spawnSync(["sh", "-c", script, executable, ...words], { env: world.env, stdin: "ignore" });
  return { exitCode: child.exitCode, stdout: child.stdout.toString(), stderr: child.stderr.toString() };
}

const commands = [
  ["session-snapshot", "status"],
  ["session-snapshot", "list", "some"],
  ["session-snapshot", "list", "some", "--json"],
  ["session-snapshot", "test"],
  ["session-snapshot", "--help"],
  ["session-snapshot", "restore", "--help"],
  ["ai-runtime", "--help"],
  ["cclaude", "--help"],
  ["cclaude", "--version"],
];

describe.skipIf(!existsSync("/dev/full"))("a full disk gives one sentence and exit code 1", () => {
  test.each(commands.map((words) => [words]))("%p", async (words) => {
    using world = new HookWorld();
    world.grow("some", 1_000);
    await world.hook("some");
    const { exitCode, stderr } = inShell(world, '"$0" "$@" >/dev/full', words);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^\S+: cannot write to stdout: ENOSPC: .*\n$/);
  });

  test("exits with 1 even when the sentence cannot be written", () => {
    using world = new HookWorld();
    expect(inShell(world, '"$0" "$@" >/dev/full 2>&1', ["session-snapshot", "status"]).exitCode).toBe(1);
    expect(inShell(world, '"$0" "$@" 2>/dev/full', ["session-snapshot", "lst"]).exitCode).toBe(2);
  });
});

describe.skipIf(process.platform === "win32")("a closed pipe is not an error", () => {
  test.each(commands.map((words) => [words]))("%p", async (words) => {
    using world = new HookWorld();
    world.grow("some", 1_000);
    await world.hook("some");
    // It starts only after the reader has certainly exited.
    const script = '{ read -r _ <"$HOME/gone"; "$0" "$@"; echo "exit $?" >&2; } | { exec <&-; echo >"$HOME/gone"; }';
    Bun.spawnSync(["mkfifo", `${world.home}/gone`]);
    expect(inShell(world, script, words)).toEqual({ exitCode: 0, stdout: "", stderr: "exit 0\n" });
  });
});
