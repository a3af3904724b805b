// Packing, unpacking and removing by the built executable, killed at each of their steps in turn.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ageSnapshot } from "../support/age-snapshot.ts";
import { executable } from "../support/executable.ts";
import { HookWorld } from "../support/hook-world.ts";
import { straceProblem, trace } from "./strace.ts";

setDefaultTimeout(60_000);

const id = "cold-session";
const steps = ["pwrite64", "fdatasync", "fsync", "rename", "ftruncate", "mkdir", "link", "unlink", "rmdir"];
/** More than any of the commands has of any step: reaching it would mean that the loop does not end. */
const most = 60;
/** Two frames, so that a kill can come between them. */
const size = 4_300_000;

test("where faults must be tested, they can be", () => {
  if (process.env["CI"]) expect(straceProblem).toBeUndefined();
});

/** Runs the command once for each step that it makes, from the same beginning, until a run makes no such step. */
async function killedAtEveryStep(
  prepare: (world: HookWorld) => Promise<{ words: string[]; stdin?: string }>,
  check: (world: HookWorld, at: string) => Promise<void>,
): Promise<number> {
  using world = new HookWorld();
  const { words, stdin = "" } = await prepare(world);
  const kept = `${world.home}.kept`;
  cpSync(world.home, kept, { recursive: true, preserveTimestamps: true });
  let points = 0;
  try {
    for (const call of steps) {
      for (let nth = 1; ; nth++) {
        expect(nth).toBeLessThan(most);
        rmSync(world.home, { recursive: true });
        cpSync(kept, world.home, { recursive: true, preserveTimestamps: true });
        const fault = { call, nth, effect: "signal=SIGKILL" };
        const command = [executable, "session-snapshot", ...words];
        const { killed } = await trace(command, { paths: [], calls: [call], fault, stdin, env: world.env });
        if (!killed) break;
        points++;
        await check(world, `killed at ${call} ${nth}`);
      }
    }
  } finally {
    rmSync(kept, { recursive: true, force: true });
  }
  return points;
}

async function coldSession(world: HookWorld): Promise<void> {
  world.grow(id, 100_000, "first");
  await world.hook(id);
  world.grow(id, size - 100_000, "second");
  await world.hook(id);
  ageSnapshot(world.files.root, id, 20);
  world.grow("other", 10_000);
  await world.hook("other");
}

/** Of the session's copies, which are there. */
function copies(world: HookWorld): string[] {
  return readdirSync(join(world.files.root, "snapshots")).filter((name) => name.startsWith(`${id}.jsonl`));
}

async function expectRestorable(world: HookWorld, at: string, transcript: Buffer): Promise<void> {
  rmSync(world.transcript(id));
  const first = await world.run(["restore", id, "--to", "1"]);
  expect([at, first.exitCode, first.stderr]).toEqual([at, 0, first.stderr]);
  expect([at, world.read(id).equals(transcript.subarray(0, world.read(id).length))]).toEqual([at, true]);
  const second = await world.run(["restore", id, "--to", "2"]);
  expect([at, second.exitCode, second.stderr]).toEqual([at, 0, second.stderr]);
  expect([at, world.read(id).equals(transcript)]).toEqual([at, true]);
}

const skipped = straceProblem ? ` (${straceProblem})` : "";

describe.skipIf(straceProblem !== undefined)(`killed at every step${skipped}`, () => {
  test("packing: the copy that the state names is whole, every mark can be restored, and the next run finishes", async () => {
    let transcript: Buffer = Buffer.alloc(0);
    const seen = new Set<string>();
    const points = await killedAtEveryStep(
      async (world) => {
        await coldSession(world);
        transcript = world.read(id);
        return { words: ["maintain"] };
      },
      async (world, at) => {
        const isPacked = world.files.state(id).packed !== undefined;
        seen.add(`${isPacked ? "packed" : "plain"}: ${copies(world).sort().join(" ")}`);
        const beforeRepair = `${world.home}.scene`;
        cpSync(world.home, beforeRepair, { recursive: true, preserveTimestamps: true });
        try {
          await expectRestorable(world, at, transcript);
          rmSync(world.home, { recursive: true });
          cpSync(beforeRepair, world.home, { recursive: true, preserveTimestamps: true });
          expect([at, (await world.run(["maintain"])).exitCode]).toEqual([at, 0]);
          expect([at, copies(world)]).toEqual([at, [`${id}.jsonl.zst`]]);
          await expectRestorable(world, at, transcript);
        } finally {
          rmSync(beforeRepair, { recursive: true, force: true });
        }
      },
    );
    expect([...seen].sort()).toEqual([
      `packed: ${id}.jsonl ${id}.jsonl.zst`,
      `packed: ${id}.jsonl.zst`,
      `plain: ${id}.jsonl`,
      `plain: ${id}.jsonl ${id}.jsonl.zst`,
    ]);
    expect(points).toBeGreaterThan(15);
  }, 240_000);

  test("a hook that unpacks: every mark can be restored, and the next hook continues the same generation", async () => {
    let transcript: Buffer = Buffer.alloc(0);
    const points = await killedAtEveryStep(
      async (world) => {
        await coldSession(world);
        await world.run(["maintain"]);
        expect(copies(world)).toEqual([`${id}.jsonl.zst`]);
        transcript = world.read(id);
        world.grow(id, 100_000, "third");
        return { words: ["hook"], stdin: world.payload(id) };
      },
      async (world, at) => {
        await world.hook(id);
        const state = world.files.state(id);
        expect([at, state.generation, state.packed]).toEqual([at, 1, undefined]);
        expect([at, world.files.mirror(id).equals(world.read(id))]).toEqual([at, true]);
        // The packed one, when it was left behind, counts for nothing any more.
        await world.run(["maintain"]);
        expect([at, copies(world)]).toEqual([at, [`${id}.jsonl`]]);
        await expectRestorable(world, at, transcript);
      },
    );
    expect(points).toBeGreaterThan(12);
  }, 240_000);

  test("clean: the session is whole, or it is none; the next run leaves nothing of it, and a new one begins at one", async () => {
    let transcript: Buffer = Buffer.alloc(0);
    const seen = new Set<string>();
    let maintains = false;
    const points = await killedAtEveryStep(
      async (world) => {
        await coldSession(world);
        transcript = world.read(id);
        await world.run(["restore", id, "--to", "1"]);
        await world.run(["undo", id]);
        ageSnapshot(world.files.root, id, 20);
        return { words: ["clean", "--session", id, "--yes"] };
      },
      async (world, at) => {
        const listed = existsSync(world.files.statePath(id));
        seen.add(listed ? "whole" : "none");
        if (listed) {
          await expectRestorable(world, at, transcript);
          return;
        }
        const restored = await world.run(["restore", id]);
        expect([at, restored.exitCode]).toEqual([at, 4]);
        // Either of the two finishes it: maintenance, or the next snapshot of the same session.
        maintains = !maintains;
        if (maintains) await world.run(["maintain"]);
        world.grow(id, 100, "again");
        await world.hook(id);
        const state = world.files.state(id);
        expect([at, state.generation, state.count, state.past]).toEqual([at, 1, 1, []]);
        expect([at, filesOf(world)]).toEqual([
          at,
          ["snapshots/cold-session.jsonl", "snapshots/cold-session.state.json"],
        ]);
      },
    );
    expect([...seen].sort()).toEqual(["none", "whole"]);
    expect(points).toBeGreaterThan(15);
  }, 240_000);
});

/** Everything named after the session, but locks and temporary files. */
function filesOf(world: HookWorld): string[] {
  const names = readdirSync(world.files.root, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.includes(id) && !name.startsWith("locks/") && !/\/\.[^/]*$/.test(name)).sort();
}
