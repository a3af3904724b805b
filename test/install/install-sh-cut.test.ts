// An install.sh that was downloaded only in part.
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InstallWorld, requiredTools, shells } from "../support/install/install-world.ts";

describe.skipIf(process.platform === "win32")("a partly downloaded install.sh does nothing", () => {
  const script = readFileSync(join(import.meta.dir, "../../install.sh"));
  const text = script.toString("latin1");
  const opening = text.indexOf("\n{\n");

  /** Stubs record every call, so that no effect goes unnoticed. */
  function effectOf(shell: string, bytes: Uint8Array, stubs: string): string {
    const child = Bun.spawnSync(shell.split(" "), {
      env: { PATH: stubs, HOME: stubs },
      stdin: bytes,
      stderr: "ignore",
    });
    const called = existsSync(join(stubs, "calls")) ? "a program was called" : "";
    return `${child.stdout.toString()}${called}${child.exitCode === 0 && bytes.length > opening + 1 ? "exit code 0" : ""}`;
  }

  test("because it is ASCII and one group from its first brace to its last", () => {
    expect(text).toMatch(/^[\n\x20-\x7e]+$/);
    expect(text.slice(0, opening)).toMatch(/^(#.*\n)*#.*$/);
    expect(text).toEndWith('\nmain "$0" "$@"; }\n');
  });

  const near = (at: number): number[] => [at - 1, at, at + 1];
  const lineEnds = [...text.matchAll(/\n/g)].map(({ index }) => index);
  const cuts = new Set([
    ...Array.from({ length: opening + 200 }, (_, at) => at),
    ...Array.from({ length: 300 }, (_, at) => script.length - 302 + at),
    ...lineEnds.flatMap(near),
    ...Array.from({ length: Math.floor(script.length / 11) }, (_, at) => at * 11),
  ]);
  // Without its last byte, the line break, the script is still complete.
  const lengths = [...cuts].filter((length) => length >= 0 && length < script.length - 1).sort((a, b) => a - b);

  test.each(shells)("under %s", (shell) => {
    using world = new InstallWorld();
    const stubs = join(world.root, "stubs");
    mkdirSync(stubs);
    for (const name of [...requiredTools, "main", "m", "ma", "mai", "u", "us", "curl"]) {
      writeFileSync(join(stubs, name), `#!/bin/sh\necho called >>${stubs}/calls\n`);
      chmodSync(join(stubs, name), 0o755);
    }
    const absolute = [Bun.which(shell.split(" ")[0] ?? "") ?? shell, ...shell.split(" ").slice(1)].join(" ");
    // Users pipe into sh, so it gets every length; the other shells get a selection.
    const tried =
      shell === "sh" ? lengths : lengths.filter((length) => length > script.length - 60 || length % 40 === 0);
    const effects = tried.map((length) => [length, effectOf(absolute, script.subarray(0, length), stubs)]);
    expect(effects.filter(([, effect]) => effect !== "")).toEqual([]);
    expect(effects.length).toBeGreaterThan(100);
    expect(effectOf(absolute, script, stubs)).not.toBe("");
  });
});
