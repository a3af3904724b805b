// Hooks of one session, or of many, that run at the same time.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HookWorld } from "../../support/worlds/hook-world.ts";

const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

describe("concurrent hooks", () => {
  test("twenty of one session leave one consistent state", async () => {
    using world = new HookWorld();
    world.grow(id, 300_000);
    const events = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? "PostToolUse" : "Stop"));
    await Promise.all(events.map((event) => world.hook(id, event)));
    world.grow(id, 100_000, "more");
    await Promise.all(events.map((event) => world.hook(id, event)));
    const state = world.files.state(id);
    expect(state).toMatchObject({ generation: 1, count: 2, size: world.read(id).length });
    expect(world.files.mirror(id)).toEqual(world.read(id));
    expect(await world.run(["restore", id, "--dry-run"])).toMatchObject({ exitCode: 0 });
    expect(readdirSync(join(world.files.root, "snapshots")).filter((name) => name.includes("tmp"))).toEqual([]);
  });

  test("of two sessions never touch each other's data", async () => {
    using world = new HookWorld();
    const ids = ["session-one", "session-two"] as const;
    for (let turn = 1; turn <= 5; turn++) {
      for (const each of ids) world.grow(each, 20_000, `${each} ${turn}`);
      await Promise.all(ids.map((each) => world.hook(each)));
    }
    for (const each of ids) {
      expect(world.files.state(each)).toMatchObject({ generation: 1, count: 5 });
      expect(world.files.mirror(each)).toEqual(world.read(each));
    }
    expect(ids).toContain(world.files.latest().sessionId as (typeof ids)[number]);
  });

  test("correct a pointer that a kill left at another session, but never to an older session", async () => {
    using world = new HookWorld();
    const pointer = join(world.files.root, "snapshots/latest.json");
    const atTurnEnd = { last_assistant_message: "Done." };
    world.grow("older", 1_000);
    await world.hook("older");
    const behind = readFileSync(pointer);
    world.grow("newer", 1_000);
    await world.hook("newer");
    await world.hook("older", "Stop", atTurnEnd);
    expect(world.files.latest().sessionId).toBe("newer");
    writeFileSync(pointer, behind);
    await world.hook("newer", "Stop", atTurnEnd);
    expect(world.files.latest().sessionId).toBe("newer");
  });
});
