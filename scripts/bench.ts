// `bun run bench`: measures our programs as ratios within one run, because ratios depend on the machine less than times do.
//   --json             print JSON
//   --write            write docs/BENCHMARKS.md
//   --check            exit with 1 when a target is missed
//   --rounds N         number of runs per case
//   --executable PATH  measure another build
//   --peers            instead: compare with Claude alone, with the real clients (needs tmux; takes most of an hour)
//   --only WORD        only parts with this word in their name (file, host, limit); with --peers: in client, scenario or way; may be repeated
//   --patience N       with --peers: seconds to wait for the end of a task
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { describeRows, markdownOf } from "./bench/report.ts";
import { restoreRows } from "./bench/restore-rows.ts";
import { type Bench, cclaudeRows, type Row, sizeRows, startUpRows, wholeCopyRows } from "./bench/rows.ts";
import { dashboardRows } from "./bench/dashboard-rows.ts";
import { demoRows } from "./bench/demo-rows.ts";
import { fileRows } from "./bench/file-rows.ts";
import { limitRows } from "./bench/limit-rows.ts";
import { hostRows } from "./bench/host-rows.ts";
import { searchRows } from "./bench/search-rows.ts";
import { statusRows } from "./bench/status-rows.ts";
import { verifyRows } from "./bench/verify-rows.ts";
import { measurePeers, peersSection, peersSectionIn } from "./bench/peers/peers.ts";
import { isBuildFresh } from "./build-stamp.ts";

const root = join(import.meta.dir, "..");
const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    rounds: { type: "string", default: "20" },
    executable: { type: "string" },
    peers: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    patience: { type: "string", default: "60" },
  },
});
const rounds = Number(values.rounds);
if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error("--rounds must be a whole number >= 1");

const executable =
  values.executable ?? join(root, "dist", process.platform === "win32" ? "ai-runtime.exe" : "ai-runtime");
if (values.executable === undefined && !isBuildFresh(root)) {
  const build = Bun.spawnSync([process.execPath, join(root, "scripts/build.ts")], { stdio: ["ignore", 2, 2] });
  if (build.exitCode !== 0) process.exit(1);
}

const page = join(root, "docs/BENCHMARKS.md");
const day = new Date().toISOString().slice(0, 10);
function writePage(text: string): void {
  writeFileSync(page, text);
  Bun.spawnSync([process.execPath, "fmt", "--no-script", "docs/BENCHMARKS.md"], { cwd: root, stdio: ["ignore", 2, 2] });
}

if (values.peers) {
  const patienceMs = 1_000 * Number(values.patience);
  const cells = await measurePeers(executable, { patienceMs, only: values.only });
  if (values.json) console.log(JSON.stringify(cells, null, 2));
  const old = readFileSync(page, "utf8");
  const present = peersSectionIn(old);
  const section = peersSection(cells, { patienceMs, day });
  if (values.write) writePage(present === "" ? `${old}\n${section}\n` : old.replace(present, () => section));
  process.exit(0);
}

// On a real disk, because syncing costs nothing on a memory file system.
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
  dashboardRows,
  searchRows,
  fileRows,
  limitRows,
  demoRows,
];
const isChosen = ({ name }: { name: string }): boolean =>
  values.only.length === 0 || values.only.some((word) => name.toLowerCase().includes(word.toLowerCase()));
if (values.write && values.only.length > 0) throw new Error("--write needs all parts, so it takes no --only");
for (const part of parts.filter(isChosen)) rows.push(...(await part(bench)));

if (values.json) console.log(JSON.stringify({ rounds, rows }, null, 2));
else console.log(describeRows(rows).join("\n"));
if (values.write) {
  const peers = peersSectionIn(readFileSync(page, "utf8"));
  writePage(`${markdownOf(rows, { rounds, day })}${peers === "" ? "" : `\n${peers}\n`}`);
}
if (values.check && rows.some((row) => row.verdict === "missed")) process.exitCode = 1;
