// The clients of the tests and how to start them: the pinned ones, and those that `bun run fidelity` has fetched. They are installed
// without their postinstall scripts, so the native binary is found where that script would copy it from: in the platform package
// beside or inside the wrapper.
import { describe } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fetchedWrapper } from "../../../scripts/fidelity/fetch-claude.ts";

export const claudeVersions = ["2.1.326", "2.1.197", "2.1.36"] as const;
export type PinnedVersion = (typeof claudeVersions)[number];
/** Any version on npm; those that are not pinned must be fetched. */
export type ClaudeVersion = string;
export const newestClaude: PinnedVersion = "2.1.326";

/** The command that starts this version; the client's arguments follow. */
export function claudeCommand(version: ClaudeVersion): readonly [string, ...string[]] {
  const wrapper = wrapperDirectory(version);
  const script = join(wrapper, "cli.js");
  if (existsSync(script)) return [Bun.which("node") ?? process.execPath, script];
  return [nativeBinary(wrapper, version)];
}

/** Declares the same tests for each pinned client, with a timeout for a busy machine. */
export function forEachClaude(declare: (version: PinnedVersion) => void): void {
  for (const version of claudeVersions) describe(`Claude Code ${version}`, () => declare(version));
}

function wrapperDirectory(version: ClaudeVersion): string {
  try {
    return dirname(Bun.resolveSync(`claude-${version}/package.json`, import.meta.dir));
  } catch {
    const fetched = fetchedWrapper(version);
    if (existsSync(fetched)) return fetched;
    throw new Error(
      `Claude Code ${version} is not installed: run "bun install" or "bun run fidelity ${version}" first`,
    );
  }
}

function nativeBinary(wrapper: string, version: ClaudeVersion): string {
  const tried: string[] = [];
  for (const platform of platformNames()) {
    const name = `@anthropic-ai/claude-code-${platform}`;
    const manifest = resolveFrom(wrapper, `${name}/package.json`);
    // A hoisted package may belong to another pinned version.
    const found = manifest === undefined ? "absent" : packageVersion(manifest);
    if (manifest !== undefined && found === version) {
      return join(dirname(manifest), process.platform === "win32" ? "claude.exe" : "claude");
    }
    tried.push(`${name} is ${found}`);
  }
  throw new Error(`no native binary of Claude Code ${version}: ${tried.join(", ")}`);
}

function platformNames(): readonly string[] {
  const name = `${process.platform}-${process.arch}`;
  if (process.platform !== "linux") return [name];
  return existsSync("/etc/alpine-release") ? [`${name}-musl`, name] : [name, `${name}-musl`];
}

function resolveFrom(directory: string, specifier: string): string | undefined {
  try {
    return Bun.resolveSync(specifier, directory);
  } catch {
    return undefined;
  }
}

function packageVersion(manifest: string): string {
  const parsed: unknown = JSON.parse(readFileSync(manifest, "utf8"));
  const version = typeof parsed === "object" && parsed !== null && "version" in parsed ? parsed.version : undefined;
  return typeof version === "string" ? version : "of unknown version";
}
