import { expect, test } from "bun:test";
import { inFull } from "./extent.ts";
import { findLibrary } from "./find-library.ts";
import { noSyncLibrary, powerCutProblem, testPowerCuts } from "./power-cut.ts";
import { allStories } from "./stories/all.ts";

const problem = powerCutProblem("ext4");

test("power cuts can be simulated in CI", () => {
  if (process.env["CI"] && process.getuid?.() === 0) expect(problem).toBeUndefined();
});

testPowerCuts(allStories, "ext4");

const library = findLibrary("libeatmydata.so");
const canSkipSyncs = inFull && problem === undefined && noSyncLibrary === undefined && library !== undefined;

test.skipIf(!canSkipSyncs)(
  "the power-cut tests fail when syncs do nothing",
  async () => {
    const again = Bun.spawn([process.execPath, "test", import.meta.path, "--timeout=240000"], {
      env: { ...process.env, FAULTS: "", FAULTS_TALLY: "", FAULTS_CARELESS_LIBRARY: library },
      stdout: "ignore",
      stderr: "pipe",
    });
    const output = await again.stderr.text();
    const failed = Number(/^ *(\d+) fail$/m.exec(output)?.[1]);
    // Every story has a cut after the command ends, and without syncs none of them keeps the new state.
    expect([failed, output]).toEqual([allStories.length, output]);
  },
  600_000,
);
