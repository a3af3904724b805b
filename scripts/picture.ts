// `bun scripts/picture.ts`: creates docs/demo.svg, the README's picture, from the demo's real output.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isBuildFresh } from "./build-stamp.ts";
import { renderScreen } from "./picture/svg.ts";

const root = join(import.meta.dir, "..");
if (!isBuildFresh(root)) throw new Error("dist/ai-runtime is outdated; run: bun run build");

// A short temporary directory name, because the picture shows it.
const temporary = mkdtempSync(join(tmpdir(), "demo-"));
try {
  const child = Bun.spawnSync(["sh", "-c", `"${root}/dist/ai-runtime" demo 2>&1`], {
    env: { HOME: temporary, TMPDIR: temporary, PATH: process.env["PATH"], FORCE_COLOR: "1", LANG: "C.UTF-8" },
    stdin: "ignore",
  });
  if (child.exitCode !== 0) throw new Error(child.stdout.toString());
  const lines = child.stdout.toString().replaceAll(temporary, "/tmp").split("\n");
  const end = lines.findIndex((line) => line.includes("What is on disk"));
  writeFileSync(join(root, "docs/demo.svg"), renderScreen(lines.slice(0, end - 1), 104));
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
console.error("wrote docs/demo.svg");
