// A git that never ends does not keep Claude waiting.
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FileWorld } from "../../support/worlds/file-world.ts";

test("the hook ends after its budget when git is a script whose programs hang", async () => {
  using world = new FileWorld();
  world.write("a", "1");
  await world.mark();
  const programs = join(world.home, "programs");
  const running = join(world.home, "running");
  mkdirSync(programs);
  writeFileSync(running, "");
  // Not the script itself, but its child keeps the pipes open.
  writeFileSync(join(programs, "git"), `#!/bin/sh\n(while [ -e '${running}' ]; do sleep 0.1; done)\nexit 1\n`);
  chmodSync(join(programs, "git"), 0o755);
  world.env["PATH"] = `${programs}:${world.env["PATH"] ?? ""}`;
  world.env["SESSION_SNAPSHOT_FILES_WAIT_SECONDS"] = "0.5";
  world.write("a", "2");
  await world.beforeCommand("rm a");
  // The hook ended while git was still running.
  rmSync(running);
  expect(world.record()?.count).toBe(1);
});
