import { type ClaudeVersion, parseClaudeVersion } from "../claude/versions.ts";
import { captureOutput } from "../io/capture-output.ts";
import { findClaude } from "./find-claude.ts";

export interface InstalledClaude {
  path: string;
  version: ClaudeVersion | undefined;
}

const patience = 15_000;

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
  const printed = await captureOutput([path, "--version"], variables, patience);
  return { path, version: printed === undefined ? undefined : parseClaudeVersion(printed) };
}

export const versionText = ({ major, minor, patch }: ClaudeVersion): string => `${major}.${minor}.${patch}`;
