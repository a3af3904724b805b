import { type ClaudeVersion, parseClaudeVersion } from "../claude/versions.ts";
import { runToEnd } from "../io/run-to-end.ts";
import { findClaude } from "./find-claude.ts";

export interface InstalledClaude {
  path: string;
  version: ClaudeVersion | undefined;
}

/** `claude --version` takes a fraction of it; what takes longer is no claude that answers. */
const patience = 5_000;

/** The claude that a person would start here; undefined when there is none. */
export async function installedClaude(
  variables: Record<string, string | undefined>,
): Promise<InstalledClaude | undefined> {
  let path: string;
  try {
    path = findClaude(variables, process.execPath);
  } catch {
    return undefined;
  }
  const ended = await runToEnd([path, "--version"], { variables, milliseconds: patience });
  return { path, version: ended?.exitCode === 0 ? parseClaudeVersion(ended.stdout) : undefined };
}

export const versionText = ({ major, minor, patch }: ClaudeVersion): string => `${major}.${minor}.${patch}`;
