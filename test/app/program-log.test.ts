import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HookWorld } from "../support/worlds/hook-world.ts";

const failingHooks = (world: HookWorld, count: number): Promise<void[]> =>
  Promise.all(Array.from({ length: count }, () => world.hookWith("no payload")));

test("hooks that fail at the same time each write one line", async () => {
  using world = new HookWorld();
  await failingHooks(world, 50);
  const lines = world.log().trimEnd().split("\n");
  expect(lines).toHaveLength(50);
  for (const line of lines) expect(line).toMatch(/^\S+Z no hook payload on stdin \(text\)$/);
});

test("concurrent hooks rotate a full log only once", async () => {
  using world = new HookWorld();
  const logs = join(world.files.root, "logs");
  mkdirSync(logs, { recursive: true });
  const old = "an old line\n".repeat(100_000);
  writeFileSync(join(logs, "snapshot.log"), old);
  await failingHooks(world, 20);
  const rotated = readFileSync(join(logs, "snapshot.log.old"), "utf8");
  expect(rotated).toStartWith(old);
  expect(rotated.slice(old.length).split("\n").length - 1 + world.log().split("\n").length - 1).toBe(20);
  expect(readdirSync(logs).sort()).toEqual(["snapshot.log", "snapshot.log.old"]);
});
