// `checkpoint save` and the milestone hook, killed or failed at each of their steps in turn.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CheckpointWorld } from "../support/checkpoint-world.ts";
import { straceProblem, trace } from "./strace.ts";

setDefaultTimeout(60_000);

const steps = ["pwrite64", "fsync", "rename", "mkdir", "unlink", "ftruncate"];
/** More than there are of any step: reaching it would mean that the loop does not end. */
const most = 40;

/** From the same beginning each time, once for every step that the command makes. */
async function atEveryStep(
  effect: string,
  world: CheckpointWorld,
  words: string[],
  stdin: string,
  check: (at: string) => Promise<void>,
): Promise<number> {
  const kept = `${world.home}.kept`;
  cpSync(world.home, kept, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  let points = 0;
  try {
    for (const call of steps) {
      for (let nth = 1; ; nth++) {
        expect(nth).toBeLessThan(most);
        rmSync(world.home, { recursive: true });
        cpSync(kept, world.home, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
        const command = ["env", "-C", world.directory, world.program, ...words];
        const traced = await trace(command, {
          paths: [],
          calls: [call],
          fault: { call, nth, effect },
          stdin,
          env: world.env,
        });
        if (traced.calls.length < nth && !traced.killed) break;
        points++;
        await check(`${effect} at ${call} ${nth}`);
      }
    }
  } finally {
    rmSync(kept, { recursive: true, force: true });
  }
  return points;
}

/** Each file is the old one or the new one, whole; what a kill leaves behind is hidden and swept. */
function expectWhole(world: CheckpointWorld, at: string, goals: string[]): void {
  const memory = world.files.memory(world.directory);
  expect([at, goals.includes(world.files.of(world.directory).goal ?? "")]).toEqual([at, true]);
  expect([at, goals.includes(world.files.latest().goal ?? "")]).toEqual([at, true]);
  const markdown = readFileSync(join(memory, "checkpoint.md"), "utf8");
  expect([at, goals.some((goal) => markdown.includes(`**Goal:** ${goal}\n`)), markdown.endsWith("\n")]).toEqual([
    at,
    true,
    true,
  ]);
  const visible = readdirSync(memory).filter((name) => !/^\..*\.tmp-\d+-\d+$/.test(name));
  expect([at, visible.sort()]).toEqual([at, ["checkpoint.json", "checkpoint.md"]]);
}

describe.skipIf(straceProblem !== undefined)(`at every step${straceProblem ? ` (${straceProblem})` : ""}`, () => {
  for (const effect of ["signal=SIGKILL", "error=ENOSPC"]) {
    test(`checkpoint save: ${effect} leaves the old words or the new, and the next save is whole`, async () => {
      using world = new CheckpointWorld();
      await world.run("checkpoint", "save", "--goal", "old", "--next", "one");
      const points = await atEveryStep(effect, world, ["checkpoint", "save", "--goal", "new"], "", async (at) => {
        expectWhole(world, at, ["old", "new"]);
        expect([at, (await world.run("checkpoint", "save", "--goal", "newest")).exitCode]).toEqual([at, 0]);
        expectWhole(world, at, ["newest"]);
      });
      expect(points).toBeGreaterThan(8);
    }, 240_000);
  }

  test("the hook whose session takes the place of another, killed: the old one is still there, present or past", async () => {
    using world = new CheckpointWorld();
    await world.runWith("", ["checkpoint", "save", "--goal", "old"], { env: { CLAUDE_CODE_SESSION_ID: "before" } });
    await world.prompt("s", "Something new");
    const edit = { tool_name: "Write", tool_input: { file_path: "/a" }, tool_response: {} };
    const points = await atEveryStep(
      "signal=SIGKILL",
      world,
      ["hook"],
      world.payload("s", "PostToolUse", edit),
      async (at) => {
        const present = world.files.of(world.directory).goal;
        const past = existsSync(world.files.pastDirectory) ? readdirSync(world.files.pastDirectory) : [];
        const kept = past.filter((name) => name.endsWith("before.json"));
        expect([at, present === "old" || kept.length === 1]).toEqual([at, true]);
        await world.hook("s", "PostToolUse", edit);
        expect([at, world.files.of(world.directory).goal]).toEqual([at, "Something new"]);
        expect([at, world.files.latest().goal]).toEqual([at, "Something new"]);
      },
    );
    expect(points).toBeGreaterThan(10);
  }, 240_000);
});
