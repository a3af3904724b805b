import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sourceVersion } from "./source-version.ts";

export const stampPath = (root: string): string => join(root, "dist", "ai-runtime.stamp");

/** A hash of the sources of the executable. Tests compare it, so that they never run an outdated build. */
export function buildStamp(root: string): string {
  const hasher = new Bun.CryptoHasher("sha256");
  const files = [
    ...new Bun.Glob("{src,shims,scripts}/**/*").scanSync({ cwd: root }),
    "package.json",
    "bun.lock",
  ].sort();
  for (const file of files) hasher.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hasher.update(`${Bun.version} ${sourceVersion(root).text}`).digest("hex");
}

export function isBuildFresh(root: string): boolean {
  const path = stampPath(root);
  return existsSync(path) && readFileSync(path, "utf8") === buildStamp(root);
}
