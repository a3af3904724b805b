// The repair of the built executable, killed or failed at each of its steps in turn.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { executable } from "../support/executable.ts";
import { HookWorld } from "../support/hook-world.ts";
import { storedTranscript } from "../support/stored-transcript.ts";
import { straceProblem, trace } from "./strace.ts";

setDefaultTimeout(60_000);

const id = "5f0c1f6e-0000-4000-8000-000000000001";
const steps = ["pwrite64", "fdatasync", "fsync", "rename", "ftruncate", "mkdir", "link", "unlink"];
/** More than the command has of any step: reaching it would mean that the loop does not end. */
const most = 60;
const whole = readFileSync(storedTranscript("2.1.325"));

test("where faults must be tested, they can be", () => {
  if (process.env["CI"]) expect(straceProblem).toBeUndefined();
});

/** A torn line in the middle that the snapshot has, NULs, and a torn tail that nobody has. */
function damaged(): Buffer {
  const lines = whole.toString().split("\n");
  const torn = lines.with(22, lines[22]?.slice(0, 80) ?? "").with(30, `\0\0${lines[30]}`);
  return Buffer.from(`${torn.join("\n")}{"uuid":"torn`);
}

async function atEveryStep(
  effect: string,
  { withSnapshot, check }: { withSnapshot: boolean; check: (world: HookWorld, at: string) => Promise<void> },
): Promise<number> {
  using world = new HookWorld();
  world.overwrite(id, "");
  writeFileSync(world.transcript(id), whole);
  if (withSnapshot) await world.hook(id);
  writeFileSync(world.transcript(id), damaged());
  const kept = `${world.home}.kept`;
  cpSync(world.home, kept, { recursive: true, preserveTimestamps: true });
  let points = 0;
  try {
    for (const call of steps) {
      for (let nth = 1; ; nth++) {
        expect(nth).toBeLessThan(most);
        rmSync(world.home, { recursive: true });
        cpSync(kept, world.home, { recursive: true, preserveTimestamps: true });
        const command = [executable, "session-snapshot", "repair", id];
        const fault = { call, nth, effect };
        const { killed, calls } = await trace(command, { paths: [], calls: [call], fault, env: world.env });
        if (!killed && calls.length < nth) break;
        points++;
        await check(world, `${effect} at ${call} ${nth}`);
      }
    }
  } finally {
    rmSync(kept, { recursive: true, force: true });
  }
  return points;
}

/** What a kill may leave beside Claude's transcripts is hidden from Claude, and only that. */
const leftovers = (world: HookWorld): string[] =>
  readdirSync(world.project).filter((name) => name !== `${id}.jsonl` && !/^\..*\.tmp-\d+-\d+$/.test(name));

describe.skipIf(straceProblem !== undefined)(`at every step${straceProblem ? ` (${straceProblem})` : ""}`, () => {
  for (const effect of ["signal=SIGKILL", "error=EIO", "error=ENOSPC"]) {
    test(`with a snapshot, ${effect}: the damaged file or the mended one; a second repair finishes, undo goes back`, async () => {
      const before = damaged();
      const points = await atEveryStep(effect, {
        withSnapshot: true,
        check: async (world, at) => {
          const now = world.read(id);
          expect([at, now.equals(before) || now.equals(whole)]).toEqual([at, true]);
          expect([at, leftovers(world)]).toEqual([at, []]);
          const again = await world.run(["repair", id]);
          expect([at, again.exitCode]).toEqual([at, 0]);
          expect([at, world.read(id).equals(whole)]).toEqual([at, true]);
          expect([at, (await world.run(["verify", id])).exitCode]).toEqual([at, 0]);
          expect([at, (await world.run(["undo", id])).exitCode]).toEqual([at, 0]);
          expect([at, world.read(id).equals(before)]).toEqual([at, true]);
        },
      });
      expect(points).toBeGreaterThan(12);
    }, 240_000);
  }

  test("without a snapshot, killed: the damaged file or a clean one with every whole record", async () => {
    const before = damaged();
    const points = await atEveryStep("signal=SIGKILL", {
      withSnapshot: false,
      check: async (world, at) => {
        if (!world.read(id).equals(before)) expect([at, (await world.run(["verify", id])).exitCode]).toEqual([at, 0]);
        expect([at, (await world.run(["repair", id])).exitCode]).toEqual([at, 0]);
        const lines = new Set(world.read(id).toString().split("\n"));
        const lost = whole
          .toString()
          .split("\n")
          .filter((line) => !lines.has(line));
        // The torn one, and the one that hung on it.
        expect([at, lost.length]).toEqual([at, 2]);
      },
    });
    expect(points).toBeGreaterThan(10);
  }, 240_000);
});
