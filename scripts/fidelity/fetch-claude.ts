// Fetches Claude Code versions from npm into .tools/claude/, without their install scripts.
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

const packageName = "@anthropic-ai/claude-code";
const cache = join(import.meta.dir, "../../.tools/claude");
const homeOf = (version: string): string => join(cache, version);

/** The directory of the package's own files, whether it is fetched or not. */
export const fetchedWrapper = (version: string): string => join(homeOf(version), "node_modules", packageName);

/** Runs npm, whose configuration names the registry. Throws with npm's own words. */
function npm(...words: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["npm", ...words, "--loglevel=error"], { stdin: "ignore" });
  if (exitCode !== 0) throw new Error(`npm ${words[0]} failed: ${stderr.toString().trim()}`);
  return stdout.toString();
}

export const newestOnNpm = (): string => npm("view", packageName, "version").trim();

/** Staged and renamed, so that an interrupted fetch never looks complete. */
export function fetchClaude(version: string): void {
  const home = homeOf(version);
  if (existsSync(fetchedWrapper(version))) return;
  const staging = `${home}.${process.pid}`;
  mkdirSync(staging, { recursive: true });
  try {
    npm("install", "--prefix", staging, "--ignore-scripts", "--no-audit", "--no-fund", `${packageName}@${version}`);
    rmSync(home, { recursive: true, force: true });
    mkdirSync(dirname(home), { recursive: true });
    renameSync(staging, home);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
