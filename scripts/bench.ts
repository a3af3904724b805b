// `bun run bench`: what the programs cost, as ratios within one run. Times depend on the machine, ratios much less.
// --json for a script; --write for docs/BENCHMARKS.md; --check ends with exit code 1 when a target is missed; --rounds N for more or fewer runs; --executable PATH.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { describeRows, markdownOf } from "./bench/report.ts";
import { restoreRows } from "./bench/restore-rows.ts";
import { type Bench, cclaudeRows, type Row, sizeRows, startUpRows, wholeCopyRows } from "./bench/rows.ts";
import { demoRows } from "./bench/demo-rows.ts";
import { limitRows } from "./bench/limit-rows.ts";
import { hostRows } from "./bench/host-rows.ts";
import { statusRows } from "./bench/status-rows.ts";
import { verifyRows } from "./bench/verify-rows.ts";
import { isBuildFresh } from "./build-stamp.ts";

const root = join(import.meta.dir, "..");
const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    // The table as docs/BENCHMARKS.md.
    write: { type: "boolean", default: false },
    rounds: { type: "string", default: "20" },
    // Another build, to compare before and after.
    executable: { type: "string" },
  },
});
const rounds = Number(values.rounds);
if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error("--rounds takes a number of runs, 1 or more");

const executable =
  values.executable ?? join(root, "dist", process.platform === "win32" ? "ai-runtime.exe" : "ai-runtime");
if (values.executable === undefined && !isBuildFresh(root)) {
  const build = Bun.spawnSync([process.execPath, join(root, "scripts/build.ts")], { stdio: ["ignore", 2, 2] });
  if (build.exitCode !== 0) process.exit(1);
}

// On a disk, like a home directory: in memory, syncing would cost nothing.
const home = realpathSync(mkdtempSync(join(tmpdir(), "ai-runtime-bench-")));
const leave = (): void => rmSync(home, { recursive: true, force: true });
process.on("exit", leave);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));

const bench: Bench = { executable, home, env: { HOME: home, PATH: process.env["PATH"] ?? "" }, rounds };
const rows: Row[] = [];
const parts = [
  startUpRows,
  cclaudeRows,
  sizeRows,
  wholeCopyRows,
  restoreRows,
  verifyRows,
  hostRows,
  statusRows,
  limitRows,
  demoRows,
];
for (const part of parts) rows.push(...(await part(bench)));

if (values.json) console.log(JSON.stringify({ rounds, rows }, null, 2));
else console.log(describeRows(rows).join("\n"));
if (values.write) {
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(join(root, "docs/BENCHMARKS.md"), markdownOf(rows, { rounds, day }));
  Bun.spawnSync(["bun", "fmt", "--no-script", "docs/BENCHMARKS.md"], { cwd: root, stdio: ["ignore", 2, 2] });
}
if (values.check && rows.some((row) => row.verdict === "missed")) process.exitCode = 1;
