// `npm run demo`: builds the executable if needed and runs its demo. See src/cli/commands/ai-runtime/demo.ts.
import { join } from "node:path";
import { isBuildFresh } from "./build-stamp.ts";

const root = join(import.meta.dir, "..");
const executable = join(root, "dist", process.platform === "win32" ? "ai-runtime.exe" : "ai-runtime");

function run(command: string[]): void {
  const { exitCode } = Bun.spawnSync(command, { stdio: ["inherit", "inherit", "inherit"] });
  if (exitCode !== 0) process.exit(exitCode);
}

if (!isBuildFresh(root)) run([process.execPath, join(root, "scripts/build.ts")]);
run([executable, "demo", ...process.argv.slice(2)]);
