import { makeDirectory, replaceFile } from "../../io/durable/durable.ts";
import { fileFacts, readText, resolveLinks } from "../../io/files/read-file.ts";
import type { SnapshotPaths } from "../snapshots/snapshot-paths.ts";

/** `claude-versions.json`: a cache, since `claude --version` takes longer than everything else that cclaude does at a start. */
type VersionCache = Record<string, { size: number; modified: number; version: string }>;

/** The file of a claude when it was started: an update may replace it while claude runs. */
export interface ClaudeFile {
  readonly path: string;
  readonly size: number;
  readonly modified: number;
}

const maxVersions = 10;

export function claudeFile(claude: string): ClaudeFile | undefined {
  const path = resolveLinks(claude);
  const facts = fileFacts(path);
  return facts && { path, size: facts.size, modified: facts.modified };
}

export function knownVersion(paths: SnapshotPaths, file: ClaudeFile): string | undefined {
  const known = read(paths)[file.path];
  return known?.size === file.size && known.modified === file.modified ? known.version : undefined;
}

export function rememberVersion(paths: SnapshotPaths, file: ClaudeFile, version: string): void {
  if (knownVersion(paths, file) === version) return;
  const { [file.path]: _, ...others } = read(paths);
  const kept = Object.entries(others).slice(1 - maxVersions);
  const entry = { size: file.size, modified: file.modified, version };
  makeDirectory(paths.root);
  replaceFile(paths.claudeVersions, JSON.stringify(Object.fromEntries([...kept, [file.path, entry]])));
}

function read(paths: SnapshotPaths): VersionCache {
  try {
    const value: unknown = JSON.parse(readText(paths.claudeVersions) ?? "{}");
    return typeof value === "object" && value !== null ? (value as VersionCache) : {};
  } catch {
    return {};
  }
}
