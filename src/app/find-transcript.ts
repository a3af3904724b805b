import { projectsDirectory } from "../claude/paths.ts";
import { replaceFile, makeDirectory } from "../io/durable.ts";
import { fileSize, listDirectory, readText } from "../io/read-file.ts";
import type { Environment } from "./environment.ts";
import { orElse } from "./or-else.ts";

const most = 50;

/** Where a session's transcript lies, for callers that are not told. Remembered, since the scan visits every project. */
export function findTranscript(environment: Environment, sessionId: string): string | undefined {
  const cache = readCache(environment);
  const known = cache.get(sessionId);
  if (known !== undefined && fileSize(known) !== undefined) return known;
  const projects = projectsDirectory(environment.claudeConfig);
  const found = listDirectory(projects)
    .map((project) => `${projects}/${project}/${sessionId}.jsonl`)
    .find((path) => fileSize(path) !== undefined);
  if (found === undefined && known === undefined) return undefined;
  cache.delete(sessionId);
  if (found !== undefined) cache.set(sessionId, found);
  // Good to have: on a full disk it is looked for once more.
  orElse(environment, () => writeCache(environment, cache), undefined);
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
    // A cache that cannot be read is a cache that is empty: the next write makes it good.
    return new Map();
  }
}

function writeCache({ paths }: Environment, cache: Map<string, string>): void {
  const fresh = [...cache].filter(([, path]) => fileSize(path) !== undefined).slice(-most);
  makeDirectory(paths.root, { shared: true });
  replaceFile(paths.pathCache, JSON.stringify(Object.fromEntries(fresh), null, 2));
}
