// `bun run test:faults`: the tests of faults and of hostile input in full, every point of every command; ends with how many points were tried.
// Words are handed on to `bun test`: a file, or -t with a part of a title.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { renderTable } from "../src/cli/table.ts";

const root = join(import.meta.dir, "..");
const tally = join(root, "dist", `faults-${process.pid}.jsonl`);
const words = process.argv.slice(2);
const command = ["bun", "test", "--timeout=1800000", "--only-failures"];
const chosen = words.some((word) => !word.startsWith("-")) ? words : ["test/faults", "test/hostile", ...words];

const { exitCode } = Bun.spawnSync([...command, ...chosen], {
  cwd: root,
  env: { ...process.env, FAULTS: "full", FAULTS_TALLY: tally },
  stdio: ["ignore", "inherit", "inherit"],
});

const lines = existsSync(tally) ? readFileSync(tally, "utf8").trim().split("\n") : [];
rmSync(tally, { force: true });
const counted = lines.map((line) => JSON.parse(line) as { kind: string; points: number });
const total = counted.reduce((sum, { points }) => sum + points, 0);
const cells = [...counted, { kind: "all", points: total }].map(({ kind, points }) => [kind, String(points)]);
console.log(renderTable([{ title: "what" }, { title: "points", align: "right" }], cells, 200).join("\n"));
process.exit(exitCode);
