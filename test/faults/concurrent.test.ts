// Concurrent commands, some suspended half-way: no command waits forever, and nothing is lost.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileHash } from "../../src/store/packing/file-hash.ts";
import { inFull, sampleOf, tally } from "./extent.ts";
import { FaultWorld } from "./fault-world.ts";
import { type Point, runTraced } from "./fault-points.ts";
import { expectPrivate } from "./private-files.ts";
import { straceProblem } from "./strace.ts";
import { until } from "../support/until.ts";

const id = "shared-session";

const start = (world: FaultWorld, words: readonly string[], stdin: string): Bun.ReadableSubprocess =>
  Bun.spawn([world.program, "session-snapshot", ...words], {
    env: world.env,
    cwd: world.home,
    stdin: new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });

/** The bytes of every mark are present and unchanged. */
function expectConsistent(world: FaultWorld): void {
  const { marks } = world.files.state(id);
  for (const mark of marks) expect(fileHash(world.files.mirrorPath(id), mark.size)).toBe(mark.hash);
}

const calls = new Set(["pwrite64", "fdatasync", "fsync", "rename", "ftruncate", "link", "unlink", "mkdir", "flock"]);

/** Starts a hook that is suspended at a point; undefined when the hook exits without reaching it. */
async function stoppedHook(world: FaultWorld, { call, nth }: Point): Promise<Bun.Subprocess | undefined> {
  const log = join(world.root, "strace");
  writeFileSync(log, "");
  const options = [
    "-D",
    "-f",
    "-qq",
    "-o",
    log,
    "-e",
    `trace=${call}`,
    "-e",
    `inject=${call}:signal=SIGSTOP:when=${nth}`,
  ];
  const hook = Bun.spawn(["strace", ...options, world.program, "session-snapshot", "hook"], {
    env: world.env,
    stdin: new TextEncoder().encode(world.payload(id)),
    stdout: "ignore",
    stderr: "ignore",
  });
  const state = (): "ended" | "stopped" | undefined => {
    if (hook.exitCode !== null || hook.signalCode !== null) return "ended";
    return readFileSync(log, "utf8").includes("stopped by SIGSTOP") ? "stopped" : undefined;
  };
  return (await until(state, `the end or the suspension of the hook at ${call} ${nth}`)) === "stopped"
    ? hook
    : undefined;
}

test.skipIf(straceProblem !== undefined)(
  "a suspended hook blocks no other command for long, and nothing is lost when it continues",
  async () => {
    using world = new FaultWorld();
    world.grow(id, 50_000);
    await world.hook(id);
    const marked = world.read(id);
    world.grow(id, 150_000, "more");
    const whole = world.read(id);
    world.keep();
    const clean = await runTraced(world, { words: ["session-snapshot", "hook"], stdin: world.payload(id) });
    const points = sampleOf(
      clean.points.filter(({ call }) => calls.has(call)),
      1,
      "stopped",
    );
    for (const point of points) {
      world.startOver();
      const hook = await stoppedHook(world, point);
      // A second hook does not delay Claude, and maintenance skips sessions in use.
      await world.hook(id);
      expect((await world.run(["maintain"])).exitCode).toBe(0);
      const [restored, cleaned] = await Promise.all([
        world.run(["restore", id, "--to", "1"]),
        world.run(["clean", "--session", "another", "--yes"]),
      ]);
      expect([0, 5]).toContain(restored.exitCode ?? -1);
      expect(cleaned.exitCode).toBe(4);
      hook?.kill("SIGCONT");
      await hook?.exited;
      const now = world.read(id);
      expect(now.equals(restored.exitCode === 0 ? marked : whole)).toBe(true);
      expectConsistent(world);
      await world.hook(id);
      expect(world.files.mirror(id).equals(world.read(id))).toBe(true);
      // What the restore replaced can be recovered.
      if (restored.exitCode === 0) {
        expect((await world.run(["undo", id])).exitCode).toBe(0);
        expect(world.read(id).equals(whole)).toBe(true);
      }
    }
    tally(points.length, "suspended hook");
  },
  600_000,
);

test("hooks, restores, repairs, maintenance and installs run concurrently, report correctly and leave every file intact", async () => {
  using world = new FaultWorld();
  const others = Array.from({ length: 6 }, (_, index) => `session-${index}`);
  world.grow(id, 60_000);
  await world.hook(id);
  const marked = world.read(id);
  const rounds = inFull ? 12 : 2;
  for (let round = 0; round < rounds; round++) {
    world.grow(id, 20_000, `round ${round}`);
    for (const other of others) world.grow(other, 30_000, `round ${round}`);
    const commands: [words: string[], stdin: string][] = [
      ...Array.from({ length: 8 }, (): [string[], string] => [["hook"], world.payload(id)]),
      ...others.map((other): [string[], string] => [["hook"], world.payload(other)]),
      [["maintain"], ""],
      [["install"], ""],
      [["install"], ""],
      [["verify", id], ""],
      [["status", "--json"], ""],
      [["restore", id, "--to", "1"], ""],
    ];
    const running = commands.map(([words, stdin]) => ({ words, child: start(world, words, stdin) }));
    for (const { words, child } of running) {
      const stderr = await child.stderr.text();
      const exitCode = await child.exited;
      const allowed = { hook: [0], maintain: [0], status: [0], verify: [0, 3, 6], restore: [0, 5], install: [0, 5] };
      expect([words, allowed[words[0] as keyof typeof allowed].includes(exitCode), stderr]).toEqual([
        words,
        true,
        stderr,
      ]);
      if (words[0] === "hook") expect(stderr).toBe("");
    }
    await world.hook(id);
    for (const other of others) await world.hook(other);
    expect(world.files.mirror(id).equals(world.read(id))).toBe(true);
    expectConsistent(world);
    for (const other of others) expect(world.files.mirror(other).equals(world.read(other))).toBe(true);
    expectPrivate(world.home);
    const settings = JSON.parse(readFileSync(join(world.home, ".claude/settings.json"), "utf8")) as { hooks: object };
    for (const groups of Object.values(settings.hooks)) expect(groups).toHaveLength(1);
  }
  expect((await world.run(["restore", id, "--to", "1"])).exitCode).toBe(0);
  expect(world.read(id).equals(marked)).toBe(true);
  tally(rounds * 20, "concurrent commands");
});
