import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface SourceVersion {
  number: string;
  commit: string;
  text: string;
}

/** The version from package.json and the current commit. */
export function sourceVersion(root: string): SourceVersion {
  const number = (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;
  const git = Bun.spawnSync(["git", "rev-parse", "--short=9", "HEAD"], { cwd: root, stdout: "pipe", stderr: "ignore" });
  const commit = git.exitCode === 0 ? git.stdout.toString().trim() : "unknown";
  return { number, commit, text: `${number} (${commit})` };
}
