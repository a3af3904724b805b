import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../support/until.ts";
import { testEveryStep } from "./every-step.ts";
import { inFull, sampleOf } from "./extent.ts";
import { FaultWorld } from "./fault-world.ts";
import { straceProblem } from "./strace.ts";
import { bootOf, bootStories, interruptRun } from "./stories/boot.ts";
import { placeClaude, records } from "./stories/run.ts";

testEveryStep(bootStories);

/** The calls of the recovery itself; the supervisors that it starts are not traced. */
const calls = [
  "pwrite64",
  "fsync",
  "fdatasync",
  "rename",
  "renameat2",
  "linkat",
  "link",
  "unlink",
  "mkdir",
  "vfork",
  "clone3",
];

describe.skipIf(straceProblem !== undefined)("a recovery after a boot that is killed", () => {
  test(
    "at any step: the next one continues, and each run starts once",
    async () => {
      const points = await findPoints();
      expect(points.length).toBeGreaterThan(10);
      for (const [call, nth] of sampleOf(points, 3, "recovery")) await killAt(call, nth);
    },
    inFull ? 1_800_000 : 300_000,
  );
});

function prepare(world: FaultWorld): { env: Record<string, string>; sessions: string[] } {
  const env = placeClaude(world);
  const sessions = [1, 2].map(() => crypto.randomUUID());
  const claude = env["CCLAUDE_CLAUDE_BIN"] ?? "";
  sessions.forEach((sessionId, n) => interruptRun(world, `20270115-08000${n}-aaaa`, { sessionId, claude }));
  return { env, sessions };
}

const recover = ["recover", "--all", "--boot", "--quiet"];

/** Every call of a recovery that nothing disturbs. */
async function findPoints(): Promise<[call: string, nth: number][]> {
  using world = new FaultWorld();
  const { env } = prepare(world);
  const log = join(world.notes, "trace");
  const traced = `trace=${calls.map((call) => `?${call}`).join(",")}`;
  const { exitCode } = await world.runtime(recover, { env, through: ["strace", "-qq", "-o", log, "-e", traced] });
  expect(exitCode).toBe(0);
  await untilDone(world);
  const counts = new Map<string, number>();
  return readFileSync(log, "utf8")
    .split("\n")
    .flatMap((line) => calls.find((call) => line.startsWith(`${call}(`)) ?? [])
    .map((call): [string, number] => {
      const nth = (counts.get(call) ?? 0) + 1;
      counts.set(call, nth);
      return [call, nth];
    });
}

async function killAt(call: string, nth: number): Promise<void> {
  using world = new FaultWorld();
  const { env, sessions } = prepare(world);
  const through = ["strace", "-qq", "-o", "/dev/null", "-e", `inject=${call}:signal=SIGKILL:when=${nth}`];
  await world.runtime(recover, { env, through });
  const again = await world.runtime(recover, { env });
  expect([call, nth, again.exitCode, again.stderr]).toEqual([call, nth, 0, ""]);
  await untilDone(world);
  expect(bootOf(world)?.state).toBe("done");
  const words = existsSync(join(world.notes, "words")) ? readFileSync(join(world.notes, "words"), "utf8") : "";
  for (const session of sessions) expect([call, nth, words.split(session).length - 1]).toEqual([call, nth, 1]);
}

const untilDone = (world: FaultWorld): Promise<unknown> =>
  until(
    () => {
      expect(records(world).map(({ status }) => status.phase)).not.toContain("failed");
      return records(world).every(({ status }) => status.phase === "done");
    },
    () => JSON.stringify(records(world).map(({ plan, status }) => [plan.id, status.phase, status.cause])),
  );
