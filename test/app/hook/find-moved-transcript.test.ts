import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HookWorld } from "../../support/worlds/hook-world.ts";

const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

describe("a payload without transcript_path", () => {
  const without = (sessionId: string): string => JSON.stringify({ session_id: sessionId, hook_event_name: "Stop" });
  const cache = (world: HookWorld): Record<string, string> =>
    JSON.parse(readFileSync(join(world.files.root, "path-cache.json"), "utf8"));

  test("searches the projects and remembers the path", async () => {
    using world = new HookWorld();
    world.grow(id, 1_000);
    await world.hookWith(without(id));
    expect(world.files.mirror(id)).toEqual(world.read(id));
    expect(cache(world)).toEqual({ [id]: world.transcript(id) });
  });

  test("searches in CLAUDE_CONFIG_DIR", async () => {
    using world = new HookWorld();
    world.env["CLAUDE_CONFIG_DIR"] = join(world.home, "other-config");
    const project = join(world.home, "other-config/projects/-p");
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, `${id}.jsonl`), '{"a":1}\n');
    await world.hookWith(without(id));
    expect(world.files.mirror(id).toString()).toBe('{"a":1}\n');
  });

  test("remembers at most fifty paths, drops stale ones, and replaces a broken cache", async () => {
    using world = new HookWorld();
    mkdirSync(world.files.root, { recursive: true });
    writeFileSync(join(world.files.root, "path-cache.json"), "{broken");
    for (let number = 0; number < 52; number++) {
      world.grow(`session-${number}`, 100);
      await world.hookWith(without(`session-${number}`));
    }
    expect(Object.keys(cache(world))).toHaveLength(50);
    expect(cache(world)).not.toHaveProperty("session-0");
    rmSync(world.transcript("session-51"));
    await world.hookWith(without("session-51"));
    expect(cache(world)).not.toHaveProperty("session-51");
  });
});

describe("the standstill warning", () => {
  const standstill = async (world: HookWorld, calls: number): Promise<void> => {
    const old = new Date(Date.now() - 600_000);
    utimesSync(world.transcript(id), old, old);
    for (let call = 0; call < calls; call++) await world.hook(id, "PostToolUse", { duration_ms: 10 });
  };
  const warnings = async (world: HookWorld): Promise<string[]> =>
    JSON.parse((await world.run(["status", "--json"])).stdout).sessions[0].warnings;

  test("appears in status while tools run without the transcript growing", async () => {
    using world = new HookWorld();
    world.grow(id, 1_000);
    await world.hook(id);
    await standstill(world, 2);
    expect(await warnings(world)).toEqual([]);
    await standstill(world, 1);
    expect(await warnings(world)).toEqual([
      "tools ran 3 times but the transcript does not grow: Claude may not be saving it",
    ]);
    world.grow(id, 100, "more");
    expect(await warnings(world)).toEqual([]);
  });

  test("names a session that Claude does not save at all", async () => {
    using world = new HookWorld();
    for (let call = 0; call < 5; call++) await world.hook("unsaved", "PostToolUse");
    const { problems } = JSON.parse((await world.run(["status", "--json"])).stdout);
    expect(problems).toEqual([
      "session unsaved: tools ran 3 times but the transcript does not grow: Claude may not be saving it",
    ]);
  });

  test("does not appear for one long tool call", async () => {
    using world = new HookWorld();
    world.grow(id, 1_000);
    await world.hook(id);
    const old = new Date(Date.now() - 600_000);
    utimesSync(world.transcript(id), old, old);
    for (let call = 0; call < 5; call++) await world.hook(id, "PostToolUse", { duration_ms: 599_000 });
    expect(existsSync(join(world.files.root, "canary"))).toBe(false);
  });
});
