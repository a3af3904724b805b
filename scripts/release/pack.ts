import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zip } from "./zip.ts";

/** Packs an executable and the license into the formats for its system; returns the names of the archives. */
export function pack(executable: string, name: string, license: string, directory: string): string[] {
  if (executable.endsWith(".exe")) {
    const entries = [
      { name: "ai-runtime.exe", content: readFileSync(executable) },
      { name: "LICENSE", content: readFileSync(license) },
    ];
    writeFileSync(join(directory, `${name}.zip`), zip(entries));
    return [`${name}.zip`];
  }
  const content = join(directory, `.content-${name}`);
  mkdirSync(content);
  try {
    copyFileSync(executable, join(content, "ai-runtime"));
    chmodSync(join(content, "ai-runtime"), 0o755);
    copyFileSync(license, join(content, "LICENSE"));
    chmodSync(join(content, "LICENSE"), 0o644);
    // Reproducible: the same input gives the same bytes.
    const same = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--format=ustar"];
    run(["tar", ...same, "-cf", join(directory, `${name}.tar`), "-C", content, "ai-runtime", "LICENSE"]);
    // -9e saves nothing more; the x86 filter would save 2%, but busybox cannot read it.
    run(["xz", "-9", "--keep", "--force", join(directory, `${name}.tar`)]);
    // For systems without xz.
    run(["gzip", "-9", "--no-name", "--force", join(directory, `${name}.tar`)]);
    return [`${name}.tar.xz`, `${name}.tar.gz`];
  } finally {
    rmSync(content, { recursive: true, force: true });
  }
}

function run(command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
}
