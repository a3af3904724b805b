// Creates all files of a release in dist/upload: archives, SHA256SUMS, the stamped installers and INSTALL.md.
//   bun scripts/release.ts [https://github.com/<owner>/<repository>/releases]
// Without the address: the releases of the repository that package.json names.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pack } from "./release/pack.ts";
import { releasesOf, stampInstaller, stampPage } from "./release/stamp.ts";
import { executableName, releaseTargets } from "./release/targets.ts";
import { sourceVersion } from "./source-version.ts";

const root = join(import.meta.dir, "..");
const built = join(root, "dist/release");
const release = join(root, "dist/upload");

const { repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { repository?: unknown };
const url = (process.argv[2] ?? releasesOf(repository))?.replace(/\/$/, "");
if (!url?.startsWith("https://")) {
  console.error("release: needs the https base URL of the release downloads, or a repository in package.json");
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
const page = readFileSync(join(root, "docs/INSTALL.md"), "utf8");
writeFileSync(join(release, "INSTALL.md"), stampPage(page, url));
console.error(`release ${version} is in dist/upload`);
