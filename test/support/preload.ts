// Runs before every test file: builds the executable from this source and removes the developer's Claude settings.
import { setDefaultTimeout } from "bun:test";
import { configureGlobal } from "fast-check";
import { join } from "node:path";
import { isBuildFresh } from "../../scripts/build-stamp.ts";

const root = join(import.meta.dir, "../..");

if (!isBuildFresh(root)) {
  const build = Bun.spawnSync(["bun", "scripts/build.ts"], { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  if (build.exitCode !== 0) throw new Error("the executable could not be built");
}

for (const name of Object.keys(process.env)) {
  if (/^(CLAUDE|ANTHROPIC|CCLAUDE|SESSION_SNAPSHOT|AI_RUNTIME)/.test(name)) delete process.env[name];
}

// The bound for a hang, not a measurement: a busy machine may take long. Waits inside a test end earlier and say what was missing.
setDefaultTimeout(300_000);

// CI always uses the same random cases, so that a rare failure does not block an unrelated change.
if (process.env["CI"]) configureGlobal({ seed: 20_261_117 });
