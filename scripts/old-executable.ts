// Builds the executable of an older commit and prints its path: bun scripts/old-executable.ts [commit]
// For the tests with programs of an older version: OLD_AI_RUNTIME=$(bun scripts/old-executable.ts) bun test test/e2e/host/versions.test.ts test/install/upgrade.test.ts
import { existsSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Version 0.1.0. */
const firstRelease = "6df39cf";

const root = join(import.meta.dir, "..");
const commit = process.argv[2] ?? firstRelease;
const worktree = join(tmpdir(), `ai-runtime-${commit}`);
const executable = join(worktree, "dist/ai-runtime");

const run = (command: string[], cwd: string): void => {
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
};

if (!existsSync(executable)) {
  run(["git", "worktree", "add", "--force", "--detach", worktree, commit], root);
  symlinkSync(join(root, "node_modules"), join(worktree, "node_modules"));
  run([process.execPath, "scripts/build.ts"], worktree);
}
console.log(executable);
