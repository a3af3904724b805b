import { expect, setDefaultTimeout, test } from "bun:test";
import { inFull } from "./extent.ts";
import { findLibrary } from "./find-library.ts";
import { careless, powerCutProblem, testPowerCuts } from "./power-cut.ts";
import { allStories } from "./stories/all.ts";

setDefaultTimeout(120_000);

const problem = powerCutProblem("ext4");

test("where power cuts must be tested, they can be", () => {
  if (process.env["CI"] && process.getuid?.() === 0) expect(problem).toBeUndefined();
});

testPowerCuts(allStories, "ext4");

const library = findLibrary("libeatmydata.so");
const canBeCareless = inFull && problem === undefined && careless === undefined && library !== undefined;

test.skipIf(!canBeCareless)(
  "without syncing, these tests fail",
  async () => {
    const again = Bun.spawn([process.execPath, "test", import.meta.path, "--timeout=240000"], {
      env: { ...process.env, FAULTS: "", FAULTS_TALLY: "", FAULTS_CARELESS_LIBRARY: library },
      stdout: "ignore",
      stderr: "pipe",
    });
    const output = await again.stderr.text();
    const failed = Number(/^ *(\d+) fail$/m.exec(output)?.[1]);
    // Each command makes a promise at its end, and none could keep it.
    expect([failed, output]).toEqual([allStories.length, output]);
  },
  600_000,
);
