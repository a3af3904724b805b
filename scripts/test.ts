// `npm test`: checks types, lint, format and unused code, builds, runs every test, and prints the counts.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const report = join(root, "dist", `junit-${process.pid}.xml`);

const steps: [title: string, command: string[]][] = [
  ["types", ["bun", "check", "--no-script"]],
  ["lint", ["oxlint", "--deny-warnings"]],
  ["format", ["bun", "fmt", "--check", "--no-script"]],
  ["unused code", ["knip"]],
  ["build, every target", ["bun", "scripts/build.ts", "--all"]],
  ["tests", ["bun", "test", "--parallel", "--only-failures", "--reporter=junit", `--reporter-outfile=${report}`]],
];

function run(title: string, command: string[]): boolean {
  console.error(`\n── ${title}: ${command.slice(0, 3).join(" ")}`);
  return Bun.spawnSync(command, { cwd: root, stdio: ["ignore", "inherit", "inherit"] }).exitCode === 0;
}

function countTests(): { passed: number; failed: number; skipped: number } {
  const head = /<testsuites\b[^>]*>/.exec(readFileSync(report, "utf8"))?.[0] ?? "";
  const count = (name: string): number => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(head)?.[1] ?? Number.NaN);
  const failed = count("failures");
  const skipped = count("skipped");
  return { failed, skipped, passed: count("tests") - failed - skipped };
}

for (const [title, command] of steps) {
  const succeeded = run(title, command);
  if (title === "tests") {
    const { passed, failed, skipped } = countTests();
    rmSync(report, { force: true });
    console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
    if (!succeeded || passed === 0) process.exit(1);
  } else if (!succeeded) {
    console.error(`\nnpm test stopped: ${title} failed, see above.`);
    process.exit(1);
  }
}
