// `bun run test:faults`: the tests of faults and of hostile input in full, every point of every command; ends with how many points were tried.
// Words are handed on to `bun test`: a file, or -t with a part of a title. --write puts the numbers of a whole, green run into docs/RELIABILITY.md.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isBuildFresh } from "./build-stamp.ts";
import { describeTried, markdownOf, replaceNumbers, type Tried } from "./faults-report.ts";

const root = join(import.meta.dir, "..");
const tally = join(root, "dist", `faults-${process.pid}.jsonl`);
const words = process.argv.slice(2).filter((word) => word !== "--write");
const write = process.argv.includes("--write");
if (write && words.length > 0) {
  console.error("test:faults: --write takes the numbers of the whole run, so no other word goes with it.");
  process.exit(2);
}
const chosen = words.some((word) => !word.startsWith("-")) ? words : ["test/faults", "test/hostile", ...words];

// Before the tests, which run in several processes: each of them would build it.
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

// It takes long: whoever waits sees how far it is.
let told = 0;
const tell = (): void => {
  for (const { what, how, points } of readTally().slice(told)) {
    console.error(`${String(points).padStart(5)}  ${what}${how ? `, ${how}` : ""}`);
    told += 1;
  }
};

const started = Date.now();
const telling = setInterval(tell, 1_000);
const tests = Bun.spawn([process.execPath, "test", "--parallel", "--timeout=1800000", "--only-failures", ...chosen], {
  cwd: root,
  env: { ...process.env, FAULTS: "full", FAULTS_TALLY: tally },
  stdio: ["ignore", "inherit", "inherit"],
});
const exitCode = await tests.exited;
clearInterval(telling);
tell();

const tried = readTally();
rmSync(tally, { force: true });
console.log(describeTried(tried).join("\n"));
console.log(
  `\n${Math.round((Date.now() - started) / 60_000)} minutes, ${exitCode === 0 ? "no failure" : "with failures, above"}`,
);
if (write && exitCode === 0) {
  const path = join(root, "docs/RELIABILITY.md");
  writeFileSync(path, replaceNumbers(readFileSync(path, "utf8"), markdownOf(tried)));
  Bun.spawnSync([process.execPath, "fmt", "--no-script", path], { cwd: root, stdio: ["ignore", 2, 2] });
}
process.exit(exitCode);
