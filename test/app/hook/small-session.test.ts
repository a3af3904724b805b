// A session too small for a mark: its bytes are saved from the first tool call on.
import { expect, test } from "bun:test";
import { rmSync, utimesSync } from "node:fs";
import { HookWorld } from "../../support/worlds/hook-world.ts";

const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

test("a burst of small tool calls writes nothing, and the end of the turn catches up", async () => {
  using world = new HookWorld();
  world.grow(id, 5_000);
  await world.hook(id, "PostToolUse");
  const first = world.files.state(id);
  for (const label of ["a", "b", "c"]) {
    world.grow(id, 1_000, label);
    await world.hook(id, "PostToolUse");
  }
  expect(world.files.state(id)).toEqual(first);
  const earlier = new Date(Date.now() - 6_000);
  utimesSync(world.files.mirrorPath(id), earlier, earlier);
  await world.hook(id, "PostToolUse");
  expect(world.files.state(id)).toMatchObject({ count: 0, size: world.read(id).length });
  await world.hook(id, "Stop");
  expect(world.files.state(id).marks).toMatchObject([{ n: 1, reason: "Stop", size: world.read(id).length }]);
  expect(world.files.state(id).marks[0]).not.toHaveProperty("open");
});

test("a session without a mark is listed, restored to its last byte, and keeps that point when it continues", async () => {
  using world = new HookWorld();
  world.grow(id, 5_000);
  await world.hook(id, "PostToolUse");
  const saved = world.read(id);
  const status = JSON.parse((await world.run(["status", "--json"])).stdout) as { sessions: unknown[] };
  expect(status.sessions).toMatchObject([{ session: id, marks: 0, size: saved.length }]);
  expect((await world.run(["list", id])).stdout).toContain("saved so far");
  rmSync(world.transcript(id));
  expect((await world.run(["restore", id])).exitCode).toBe(0);
  expect(world.read(id)).toEqual(saved);
  world.grow(id, 40_000, "more");
  await world.hook(id, "PostToolUse");
  world.overwrite(id, saved.toString());
  await world.hook(id, "PostToolUse");
  const { past } = world.files.state(id);
  expect(past).toMatchObject([{ why: "shrunk" }]);
  expect((await world.run(["restore", id, "--to", "2"])).exitCode).toBe(0);
  expect(world.read(id)).toEqual(world.files.pastMirror(id, 1));
});
