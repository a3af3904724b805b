// The hook, the restore and the undo of the built executable, killed or failed at each of their steps in turn.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileHash } from "../../src/store/file-hash.ts";
import { executable } from "../support/executable.ts";
import { HookWorld } from "../support/hook-world.ts";
import { straceProblem, trace } from "./strace.ts";

setDefaultTimeout(60_000);

const id = "killed-session";
const steps = ["pwrite64", "fdatasync", "fsync", "rename", "ftruncate", "mkdir", "link", "unlink"];
/** More than any of the commands has of any step: reaching it would mean that the loop does not end. */
const most = 60;

test("where faults must be tested, they can be", () => {
  if (process.env["CI"]) expect(straceProblem).toBeUndefined();
});

interface Scene {
  world: HookWorld;
  run(effect: string, call: string, nth: number): Promise<{ reached: boolean; killed: boolean }>;
}

function sceneOf(world: HookWorld, words: string[], stdin: string): Scene {
  return {
    world,
    async run(effect, call, nth) {
      const traced = await trace([executable, "session-snapshot", ...words], {
        paths: [],
        calls: [call],
        fault: { call, nth, effect },
        stdin,
        env: world.env,
      });
      return { reached: traced.calls.length >= nth, killed: traced.killed };
    },
  };
}

/** Runs the command once for each step that it makes, from the same beginning, until a run makes no such step. */
async function atEveryStep(
  effect: string,
  prepare: (world: HookWorld) => Promise<{ words: string[]; stdin: string }>,
  check: (world: HookWorld, at: string) => Promise<void>,
): Promise<number> {
  using first = new HookWorld();
  const { words, stdin } = await prepare(first);
  const kept = `${first.home}.kept`;
  cpSync(first.home, kept, { recursive: true, preserveTimestamps: true });
  let points = 0;
  try {
    for (const call of steps) {
      for (let nth = 1; ; nth++) {
        expect(nth).toBeLessThan(most);
        // The same paths each time, for the payload and the state name them.
        rmSync(first.home, { recursive: true });
        cpSync(kept, first.home, { recursive: true, preserveTimestamps: true });
        const { reached, killed } = await sceneOf(first, words, stdin).run(effect, call, nth);
        if (!reached && !killed) break;
        points++;
        await check(first, `${effect} at ${call} ${nth}`);
      }
    }
  } finally {
    rmSync(kept, { recursive: true, force: true });
  }
  return points;
}

/** Every mark that is listed can be restored: its bytes are there and are what they were. */
function expectConsistent(world: HookWorld, at: string): void {
  const { marks, size, past } = world.files.state(id);
  const moved = join(world.files.root, `snapshots/generations/${id}.${past.length + 1}.jsonl`);
  const mirror = fileHash(moved, 0) === undefined ? world.files.mirrorPath(id) : moved;
  for (const mark of marks) expect([at, fileHash(mirror, mark.size)]).toEqual([at, mark.hash]);
  expect([at, marks.at(-1)?.size ?? 0]).toEqual([at, size]);
}

describe.skipIf(straceProblem !== undefined)(`at every step${straceProblem ? ` (${straceProblem})` : ""}`, () => {
  for (const effect of ["signal=SIGKILL", "error=EIO", "error=ENOSPC"]) {
    test(`the hook that appends: ${effect} leaves the old snapshot or the new one, and the next hook heals`, async () => {
      const points = await atEveryStep(
        effect,
        async (world) => {
          world.grow(id, 150_000);
          await world.hook(id);
          world.grow(id, 100_000, "more");
          return { words: ["hook"], stdin: world.payload(id) };
        },
        async (world, at) => {
          expectConsistent(world, at);
          expect([1, 2]).toContain(world.files.state(id).count);
          // The next hook heals, also when nothing is new.
          await world.hook(id);
          expect([at, world.files.state(id).size]).toEqual([at, world.read(id).length]);
          expect(JSON.parse(readFileSync(join(world.files.root, "snapshots/latest.json"), "utf8")).sessionId).toBe(id);
          world.grow(id, 100, "last");
          await world.hook(id);
          expect([at, world.files.state(id).generation]).toEqual([at, 1]);
          expect(world.files.mirror(id).equals(world.read(id))).toBe(true);
        },
      );
      expect(points).toBeGreaterThan(6);
    }, 240_000);
  }

  test("the very first snapshot, killed: the next hook takes it, as if nothing had been", async () => {
    const points = await atEveryStep(
      "signal=SIGKILL",
      async (world) => {
        world.grow(id, 600_000);
        return { words: ["hook"], stdin: world.payload(id) };
      },
      async (world, at) => {
        await world.hook(id);
        const { generation, count, past, marks } = world.files.state(id);
        expect([at, { generation, count, past }]).toEqual([at, { generation: 1, count: 1, past: [] }]);
        expect([at, marks[0]?.size]).toEqual([at, world.read(id).length]);
        expect(world.files.mirror(id).equals(world.read(id))).toBe(true);
      },
    );
    expect(points).toBeGreaterThan(10);
  }, 240_000);

  test("the hook that finds a rewritten transcript, killed: both generations can be restored after the next hook", async () => {
    let old: Buffer = Buffer.alloc(0);
    const points = await atEveryStep(
      "signal=SIGKILL",
      async (world) => {
        world.grow(id, 150_000);
        await world.hook(id);
        old = world.read(id);
        world.overwrite(id, "");
        world.grow(id, 50_000, "other");
        return { words: ["hook"], stdin: world.payload(id) };
      },
      async (world, at) => {
        expectConsistent(world, at);
        world.grow(id, 100, "last");
        await world.hook(id);
        const state = world.files.state(id);
        expect([at, state.generation, state.past.length]).toEqual([at, 2, 1]);
        expect(world.files.pastMirror(id, 1).equals(old)).toBe(true);
        expect(world.files.mirror(id).equals(world.read(id))).toBe(true);
      },
    );
    expect(points).toBeGreaterThan(10);
  }, 240_000);

  test("restore, killed: the transcript is the old one or the restored one, and undo or a second restore finishes", async () => {
    let before: Buffer = Buffer.alloc(0);
    let marked = 0;
    const points = await atEveryStep(
      "signal=SIGKILL",
      async (world) => {
        world.grow(id, 50_000);
        await world.hook(id);
        marked = world.read(id).length;
        world.grow(id, 50_000, "more");
        await world.hook(id);
        world.grow(id, 500, "not yet copied");
        before = world.read(id);
        return { words: ["restore", id, "--to", "1"], stdin: "" };
      },
      async (world, at) => {
        const now = world.read(id);
        const whole = now.equals(before) || now.equals(before.subarray(0, marked));
        expect([at, whole]).toEqual([at, true]);
        expect([at, leftovers(world.project)]).toEqual([at, []]);
        const again = await world.run(["restore", id, "--to", "1"]);
        expect([at, again.exitCode]).toEqual([at, 0]);
        expect(world.read(id).equals(before.subarray(0, marked))).toBe(true);
        const undone = await world.run(["undo", id]);
        expect([at, undone.exitCode, undone.stderr]).toEqual([at, 0, undone.stderr]);
        expect(world.read(id).equals(before)).toBe(true);
      },
    );
    expect(points).toBeGreaterThan(15);
  }, 240_000);
});

/** What a kill may leave beside Claude's transcripts is hidden from Claude, and only that. */
function leftovers(directory: string): string[] {
  return readdirSync(directory).filter((name) => name !== `${id}.jsonl` && !/^\..*\.tmp-\d+-\d+$/.test(name));
}
