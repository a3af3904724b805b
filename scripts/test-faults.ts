// `bun run test:faults`: runs the fault and hostile-input tests in full, at every point of every command, and prints the counts.
// Arguments go to `bun test`: a file, or -t with a part of a title. --write stores the counts of a full run without failures in
// docs/RELIABILITY.md.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isBuildFresh } from "./build-stamp.ts";
import { describeTried, markdownOf, replaceNumbers, type Tried } from "./faults-report.ts";

const root = join(import.meta.dir, "..");
const tally = join(root, "dist", `faults-${process.pid}.jsonl`);
const words = process.argv.slice(2).filter((word) => word !== "--write");
const write = process.argv.includes("--write");
if (write && words.length > 0) {
  console.error("test:faults: --write needs the full run and takes no other arguments.");
  process.exit(2);
}
const chosen = words.some((word) => !word.startsWith("-")) ? words : ["test/faults", "test/hostile", ...words];

// Built before the tests, because they run in several processes and each of them would build it.
if (!isBuildFresh(root)) {
  const build = Bun.spawnSync([process.execPath, join(root, "scripts/build.ts")], { stdio: ["ignore", 2, 2] });
  if (build.exitCode !== 0) process.exit(1);
}

const readTally = (): Tried[] =>
  existsSync(tally)
    ? readFileSync(tally, "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Tried)
    : [];

// Shows progress, because a full run takes long.
let printed = 0;
const printProgress = (): void => {
  for (const { what, how, points } of readTally().slice(printed)) {
    console.error(`${String(points).padStart(5)}  ${what}${how ? `, ${how}` : ""}`);
    printed += 1;
  }
};

const started = Date.now();
const progress = setInterval(printProgress, 1_000);
const tests = Bun.spawn([process.execPath, "test", "--parallel", "--timeout=1800000", "--only-failures", ...chosen], {
  cwd: root,
  env: { ...process.env, FAULTS: "full", FAULTS_TALLY: tally },
  stdio: ["ignore", "inherit", "inherit"],
});
const exitCode = await tests.exited;
clearInterval(progress);
printProgress();

const tried = readTally();
rmSync(tally, { force: true });
console.log(describeTried(tried).join("\n"));
console.log(
  `\n${Math.round((Date.now() - started) / 60_000)} minutes, ${exitCode === 0 ? "no failures" : "with failures, see above"}`,
);
if (write && exitCode === 0) {
  const path = join(root, "docs/RELIABILITY.md");
  writeFileSync(path, replaceNumbers(readFileSync(path, "utf8"), markdownOf(tried)));
  Bun.spawnSync([process.execPath, "fmt", "--no-script", path], { cwd: root, stdio: ["ignore", 2, 2] });
}
process.exit(exitCode);
