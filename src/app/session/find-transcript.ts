import { isBelow, projectsDirectory, transcriptPath } from "../../claude/paths.ts";
import { isSessionId } from "../../core/session-id.ts";
import { replaceFile, makeDirectory } from "../../io/durable/durable.ts";
import { fileSize, listDirectory, readText } from "../../io/files/read-file.ts";
import type { Environment } from "../environment.ts";
import { bestEffort } from "../best-effort.ts";

const maxCachedPaths = 50;

/** The path of a session's transcript. Cached, since the scan visits every project directory. */
export function findTranscript(environment: Environment, sessionId: string): string | undefined {
  const cache = readCache(environment);
  const known = cache.get(sessionId);
  const projects = projectsDirectory(environment.claudeConfig);
  // Claude's directory may have changed since.
  if (known !== undefined && isBelow(projects, known) && fileSize(known) !== undefined) return known;
  const found = listDirectory(projects)
    .map((project) => transcriptPath(`${projects}/${project}`, sessionId))
    .find((path) => fileSize(path) !== undefined);
  if (found === undefined && known === undefined) return undefined;
  cache.delete(sessionId);
  if (found !== undefined) cache.set(sessionId, found);
  // Best effort: without the cache the next call scans again.
  bestEffort(environment, () => writeCache(environment, cache), undefined);
  return found;
}

/** Every transcript in Claude's directory, by session. */
export function listTranscripts({ claudeConfig }: Environment): Map<string, string> {
  const projects = projectsDirectory(claudeConfig);
  const found = new Map<string, string>();
  for (const project of listDirectory(projects)) {
    for (const name of listDirectory(`${projects}/${project}`)) {
      const id = name.replace(/\.jsonl$/, "");
      if (id !== name && isSessionId(id)) found.set(id, `${projects}/${project}/${name}`);
    }
  }
  return found;
}

function readCache({ paths }: Environment): Map<string, string> {
  try {
    const value: unknown = JSON.parse(readText(paths.pathCache) ?? "{}");
    const entries = Object.entries(value as object).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    );
    return new Map(entries);
  } catch {
    // The next write replaces an unreadable cache.
    return new Map();
  }
}

function writeCache({ paths }: Environment, cache: Map<string, string>): void {
  const fresh = [...cache].filter(([, path]) => fileSize(path) !== undefined).slice(-maxCachedPaths);
  makeDirectory(paths.root, { shared: true });
  replaceFile(paths.pathCache, JSON.stringify(Object.fromEntries(fresh), null, 2));
}
