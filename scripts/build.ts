// Compiles the executable. `bun run build` builds for this machine; `--all` also builds every release target.
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildStamp, stampPath } from "./build-stamp.ts";
import { executableName, type ReleaseTarget, releaseTargets } from "./release/targets.ts";
import { sourceVersion } from "./source-version.ts";

const root = join(import.meta.dir, "..");
const dist = join(root, "dist");
const executable = process.platform === "win32" ? "ai-runtime.exe" : "ai-runtime";

async function compile(outfile: string, target?: ReleaseTarget): Promise<void> {
  const version = sourceVersion(root);
  const result = await Bun.build({
    entrypoints: [join(root, "src/main.ts")],
    minify: true,
    // Without format esm, bytecode falls back to CommonJS and Bun builds a broken binary with exit code 0.
    format: "esm",
    bytecode: true,
    splitting: true,
    define: {
      BUILD_VERSION: JSON.stringify(version.number),
      BUILD_COMMIT: JSON.stringify(version.commit),
      "process.env.NODE_ENV": '"production"',
    },
    compile: {
      outfile,
      ...(target ? { target: `bun-${target}` } : {}),
      // Otherwise the executable would run bunfig.toml and load .env from its working directory.
      autoloadBunfig: false,
      autoloadDotenv: false,
    },
  });
  if (!result.success) throw new AggregateError(result.logs, `cannot compile ${outfile}`);
}

/** Fails the build unless the executable starts under every name and prints the version. */
function smokeRun(path: string): void {
  for (const program of ["ai-runtime", "cclaude", "session-snapshot"]) {
    const words = program === "ai-runtime" ? ["--version"] : [program, "--version"];
    const run = Bun.spawnSync([path, ...words], { stdout: "pipe", stderr: "pipe" });
    const printed = run.stdout.toString();
    const expected = `${program} ${sourceVersion(root).text}\n`;
    if (run.exitCode !== 0 || printed !== expected) {
      throw new Error(
        `smoke run of ${program} printed ${JSON.stringify(printed)}, exit ${run.exitCode}\n${run.stderr}`,
      );
    }
  }
}

async function buildHost(): Promise<void> {
  mkdirSync(dist, { recursive: true });
  const stamp = buildStamp(root);
  // Built in a temporary file and renamed, so that running programs and tests keep the old one intact.
  const staging = join(dist, `.staging-${process.pid}`);
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging);
  try {
    const staged = join(staging, executable);
    await compile(staged);
    smokeRun(staged);
    renameSync(staged, join(dist, executable));
    writeFileSync(stampPath(root), stamp);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  console.error(`built dist/${executable} ${sourceVersion(root).text}`);
}

async function buildRelease(): Promise<void> {
  const release = join(dist, "release");
  rmSync(release, { recursive: true, force: true });
  mkdirSync(release, { recursive: true });
  for (const target of releaseTargets) {
    const path = join(release, executableName(target));
    await compile(path, target);
    chmodSync(path, 0o755);
    console.error(`built dist/release/${executableName(target)}`);
  }
}

const unknown = process.argv.slice(2).filter((word) => word !== "--all");
if (unknown.length > 0) {
  console.error(`build: unknown argument ${unknown[0]}; the only option is --all`);
  process.exit(2);
}
await buildHost();
if (process.argv.includes("--all")) await buildRelease();
