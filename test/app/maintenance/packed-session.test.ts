import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { chooseSession } from "../../../src/app/session/choose-session.ts";
import { agedSession } from "../../support/worlds/age-snapshot.ts";
import { HookWorld } from "../../support/worlds/hook-world.ts";
import { isPacked, rewriteSession, runMaintenance } from "../../support/worlds/maintenance.ts";

let world: HookWorld;

beforeEach(() => {
  world = new HookWorld();
});

afterEach(() => world[Symbol.dispose]());

describe("a packed session", () => {
  const id = "packed";

  beforeEach(async () => {
    await agedSession(world, id, 8, { bytes: 5_000_000 });
    await agedSession(world, "latest", 0);
    runMaintenance(world);
    expect(isPacked(world, id)).toBe(true);
  });

  test("can be restored when Claude's transcript is gone", async () => {
    const before = world.read(id);
    rmSync(world.transcript(id));
    expect(await world.run(["restore", id])).toMatchObject({ exitCode: 0 });
    expect(world.read(id).equals(before)).toBe(true);
  });

  test("appears in list and status like any other", async () => {
    const list = JSON.parse((await world.run(["list", id, "--json"])).stdout);
    expect(list.marks).toHaveLength(1);
    const { sessions } = JSON.parse((await world.run(["status", "--json"])).stdout);
    expect(sessions.map((each: { session: string }) => each.session)).toEqual(["latest", id]);
    expect(isPacked(world, id)).toBe(true);
  });

  test("can be viewed at a mark, and when Claude's transcript is gone", async () => {
    const marked = await world.run(["view", id, "--to", "1", "--plain"]);
    expect(marked).toMatchObject({ exitCode: 0, stderr: "" });
    expect(marked.stdout).toContain(`${id} 0 xxx`);
    rmSync(world.transcript(id));
    const gone = await world.run(["view", id, "--plain"]);
    expect(gone).toMatchObject({ exitCode: 0, stdout: marked.stdout });
    expect(isPacked(world, id)).toBe(true);
  });

  test("is not chosen as its directory's newest session, although packing wrote its state last", () => {
    const environment = currentEnvironment(world.env);
    expect(chooseSession(environment, undefined, "/project")).toBe("latest");
  });

  test("is unpacked by the next hook, which removes the packed file", async () => {
    world.grow(id, 200_000, "again");
    await world.hook(id);
    expect(world.files.state(id)).toMatchObject({ generation: 1, count: 2 });
    expect(world.files.mirror(id).equals(world.read(id))).toBe(true);
    expect(existsSync(`${world.files.mirrorPath(id)}.zst`)).toBe(false);
    // A session that was just used is not packed again.
    expect(runMaintenance(world).packed).toEqual([]);
  });

  test("stays packed while the transcript does not change", async () => {
    await world.hook(id, "SessionStart", { source: "resume" });
    await world.hook(id, "Stop");
    await world.hook(id, "PostToolUse");
    expect(isPacked(world, id)).toBe(true);
  });

  test("starts a new generation when the transcript is overwritten, and keeps both", async () => {
    const before = world.read(id);
    await rewriteSession(world, id);
    expect(world.files.state(id)).toMatchObject({ generation: 2, past: [{ why: "shrunk" }] });
    expect(world.files.pastMirror(id, 1).equals(before)).toBe(true);
  });
});
