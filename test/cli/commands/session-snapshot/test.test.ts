import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { HookWorld } from "../../../support/worlds/hook-world.ts";

test("passes, leaves nothing behind, and can run many times in parallel", async () => {
  using world = new HookWorld();
  const results = await Promise.all(Array.from({ length: 12 }, () => world.run(["test"])));
  const [lines = []] = results.map(({ stdout }) => stdout.trimEnd().split("\n"));
  expect(lines.map((line) => line.slice(0, 2))).toEqual(lines.map(() => "✔ "));
  for (const check of ["the executable", "Claude's settings", "hook", "restore"]) {
    expect(lines).toContainEqual(expect.stringContaining(check));
  }
  for (const { exitCode, stdout } of results) expect([exitCode, stdout]).toEqual([0, `${lines.join("\n")}\n`]);
  expect(readdirSync(world.files.root)).toEqual([]);
});

test("runs the other checks when no temporary directory can be created", async () => {
  using world = new HookWorld();
  world.env["TMPDIR"] = "/nonexistent";
  const { exitCode, stdout, stderr } = await world.run(["test"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
  expect(stdout).toContain("✔ our directory is writable\n");
  expect(stdout).toMatch(/^✘ a scratch directory can be created: .*\/nonexistent\//m);
  const { ok, checks } = JSON.parse((await world.run(["test", "--json"])).stdout);
  expect(ok).toBe(false);
  expect(checks.at(-1)).toEqual({ name: expect.any(String), problem: expect.stringContaining("/nonexistent/") });
});
