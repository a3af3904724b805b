// Creates all files of a release in dist/upload: archives, SHA256SUMS and the stamped installers.
//   bun scripts/release.ts https://github.com/<owner>/<repository>/releases
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pack } from "./release/pack.ts";
import { stampInstaller } from "./release/stamp.ts";
import { executableName, releaseTargets } from "./release/targets.ts";
import { sourceVersion } from "./source-version.ts";

const root = join(import.meta.dir, "..");
const built = join(root, "dist/release");
const release = join(root, "dist/upload");

const url = process.argv[2]?.replace(/\/$/, "");
if (!url?.startsWith("https://")) {
  console.error("release: needs the https base URL of the release downloads");
  process.exit(2);
}

const build = Bun.spawnSync([process.execPath, join(root, "scripts/build.ts"), "--all"], {
  stdio: ["ignore", "inherit", "inherit"],
});
if (build.exitCode !== 0) process.exit(1);

rmSync(release, { recursive: true, force: true });
mkdirSync(release, { recursive: true });
const megabytes = (path: string): string => `${(statSync(path).size / 1_000_000).toFixed(1)} MB`;
const sums: string[] = [];
for (const target of releaseTargets) {
  const executable = join(built, executableName(target));
  for (const name of pack(executable, `ai-runtime-${target}`, join(root, "LICENSE"), release)) {
    const path = join(release, name);
    sums.push(`${new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex")}  ${name}\n`);
    console.error(`packed ${name}: ${megabytes(path)} of ${megabytes(executable)}`);
  }
}
const checksums = sums.join("");
writeFileSync(join(release, "SHA256SUMS"), checksums);
const version = sourceVersion(root).number;
for (const installer of ["install.sh", "install.ps1"]) {
  const script = readFileSync(join(root, installer), "utf8");
  writeFileSync(join(release, installer), stampInstaller(script, { version, url, checksums }), { mode: 0o755 });
}
console.error(`release ${version} is in dist/upload`);
