import { type ClaudeVersion, parseClaudeVersion } from "../claude/versions.ts";
import { runToEnd } from "../io/process/run-to-end.ts";
import { findClaude } from "./find-claude.ts";
import type { Variables } from "../core/variables.ts";

export interface InstalledClaude {
  path: string;
  version: ClaudeVersion | undefined;
}

/** `claude --version` normally takes a fraction of this. */
const versionTimeoutMs = 5_000;

/** The claude that the user would start here; undefined when none is installed. */
export async function installedClaude(variables: Variables): Promise<InstalledClaude | undefined> {
  let path: string;
  try {
    path = findClaude(variables, process.execPath);
  } catch {
    return undefined;
  }
  const ended = await runToEnd([path, "--version"], { variables, milliseconds: versionTimeoutMs });
  return { path, version: ended?.exitCode === 0 ? parseClaudeVersion(ended.stdout) : undefined };
}

/** Claude ignores a settings file that contains an unknown hook event, so the version decides which hooks are installed. */
export function unknownVersionWarnings(claude: InstalledClaude | undefined): string[] {
  if (claude?.version) return [];
  const what = claude ? `${claude.path} does not report its version` : "claude is not on PATH";
  return [`${what}: only the hooks that every version supports are installed; run install again once this is fixed`];
}

export const versionText = ({ major, minor, patch }: ClaudeVersion): string => `${major}.${minor}.${patch}`;
