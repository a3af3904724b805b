import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { HookWorld } from "../support/hook-world.ts";

setDefaultTimeout(60_000);

test("it passes, leaves nothing behind, and many at once do not disturb each other", async () => {
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

test("without a scratch directory the other checks are made, and that one fails", async () => {
  using world = new HookWorld();
  world.env["TMPDIR"] = "/nonexistent";
  const { exitCode, stdout, stderr } = await world.run(["test"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
  expect(stdout).toContain("✔ our directory can be written\n");
  expect(stdout).toMatch(/^✘ there is a scratch directory to work in: .*\/nonexistent\//m);
  const { ok, checks } = JSON.parse((await world.run(["test", "--json"])).stdout);
  expect(ok).toBe(false);
  expect(checks.at(-1)).toEqual({ name: expect.any(String), problem: expect.stringContaining("/nonexistent/") });
});
