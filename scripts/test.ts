// `npm test`: checks types, lint, format and unused code, builds, runs every test, and prints the counts.
import { readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { formatDuration } from "../src/core/duration.ts";
import { testProgress } from "./test-progress.ts";

const root = join(import.meta.dir, "..");
const report = join(root, "dist", `junit-${process.pid}.xml`);
const drainMs = 2_000;

const checks: [title: string, command: string[]][] = [
  ["types", ["bun", "check", "--no-script"]],
  // The browser has other globals than Bun.
  ["types of the page", ["bun", "check", "--no-script", "-p", "src/web"]],
  ["types of the browser tests", ["bun", "check", "--no-script", "-p", "test/browser"]],
  ["lint", ["oxlint", "--deny-warnings"]],
  ["format", ["bun", "fmt", "--check", "--no-script"]],
  ["unused code", ["knip"]],
  ["build, every target", ["bun", "scripts/build.ts", "--all"]],
];
// One more than the cores: a test of the real client waits for a third of its time.
const workers = availableParallelism() + 1;
const tests = ["bun", "test", `--parallel=${workers}`, "--reporter=junit", `--reporter-outfile=${report}`];

function announce(title: string, command: string[]): void {
  console.error(`\n── ${title}: ${command.slice(0, 3).join(" ")}`);
}

async function runTests(): Promise<boolean> {
  announce("tests", tests);
  const files = await Array.fromAsync(new Bun.Glob("test/**/*.test.ts").scan(root));
  const start = performance.now();
  const take = testProgress(files.length, () => formatDuration(performance.now() - start));
  const child = Bun.spawn(tests, { cwd: root, stdio: ["ignore", "inherit", "pipe"] });
  const printed = printOutput(child.stderr, take);
  const exitCode = await child.exited;
  // A process that a test left behind may hold the pipe open, so that its end never comes.
  await Promise.race([printed, Bun.sleep(drainMs)]);
  return exitCode === 0;
}

async function printOutput(
  output: ReadableStream<Uint8Array<ArrayBuffer>>,
  take: (line: string) => string[],
): Promise<void> {
  let rest = "";
  for await (const text of output.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.flatMap(take)) console.error(line);
  }
  for (const line of take(rest)) console.error(line);
}

function countTests(): { passed: number; failed: number; skipped: number } {
  const head = /<testsuites\b[^>]*>/.exec(readFileSync(report, "utf8"))?.[0] ?? "";
  const count = (name: string): number => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(head)?.[1] ?? Number.NaN);
  const failed = count("failures");
  const skipped = count("skipped");
  return { failed, skipped, passed: count("tests") - failed - skipped };
}

for (const [title, command] of checks) {
  announce(title, command);
  if (Bun.spawnSync(command, { cwd: root, stdio: ["ignore", "inherit", "inherit"] }).exitCode !== 0) {
    console.error(`\nnpm test stopped: ${title} failed, see above.`);
    process.exit(1);
  }
}
const succeeded = await runTests();
const { passed, failed, skipped } = countTests();
rmSync(report, { force: true });
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
if (!succeeded || passed === 0) process.exit(1);
process.exit(0);
