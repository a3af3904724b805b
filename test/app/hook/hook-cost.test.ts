// Counts the bytes that a snapshot reads and writes: only the new bytes, whatever the size of the transcript.
import { expect, test } from "bun:test";
import { executable } from "../../support/executable.ts";
import { HookWorld } from "../../support/worlds/hook-world.ts";
import { straceProblem, trace } from "../../faults/strace.ts";

const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
const moving = ["read", "pread64", "readv", "preadv", "write", "pwrite64", "copy_file_range", "sendfile"];

/** The bytes that one hook reads and writes in the user's files when 2,000 bytes are added to a transcript of this size. */
async function costBehind(size: number): Promise<number> {
  using world = new HookWorld();
  world.grow(id, size);
  await world.hook(id);
  world.grow(id, 2_000, "new");
  const traced = await trace([executable, "session-snapshot", "hook"], {
    paths: [],
    calls: moving,
    stdin: world.payload(id),
    env: world.env,
  });
  expect(world.files.mirror(id).equals(world.read(id))).toBe(true);
  const ours = traced.calls.filter((call) => call.includes(`<${world.home}/`));
  expect(ours.length).toBeGreaterThan(2);
  return ours.reduce((sum, call) => sum + Number(/ = (\d+)/.exec(call)?.[1] ?? 0), 0);
}

test.skipIf(straceProblem !== undefined)(
  `a snapshot costs the new bytes, not the transcript${straceProblem ? ` (${straceProblem})` : ""}`,
  async () => {
    const [small, large] = await Promise.all([costBehind(300_000), costBehind(30_000_000)]);
    expect(small).toBeGreaterThan(2_000);
    expect(large).toBeLessThan(small + 100_000);
  },
);
