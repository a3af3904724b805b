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

/** The hooks are chosen by the version: one event that a client does not know would void its whole settings file. */
export function unknownVersionWarnings(claude: InstalledClaude | undefined): string[] {
  if (claude?.version) return [];
  const what = claude ? `${claude.path} does not tell its version` : "no claude was found on PATH";
  return [`${what}: only the hooks that every version knows are installed; install again when it can be asked`];
}

export const versionText = ({ major, minor, patch }: ClaudeVersion): string => `${major}.${minor}.${patch}`;
