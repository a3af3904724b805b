import { projectDirectoryName } from "../../claude/paths.ts";
import { absolutePath } from "../../core/absolute-path.ts";
import { parseDuration } from "../../core/duration.ts";
import { Failure } from "../../core/failure.ts";
import { parseQuery, type Query } from "../../core/search/query.ts";
import type { Role } from "../../core/search/rank.ts";
import { isSessionId } from "../../core/session-id.ts";
import { isDirectory, resolveLinks } from "../../io/files/read-file.ts";
import { IndexError } from "../../store/index/index-error.ts";
import type { IndexedSource } from "../../store/index/search-index.ts";
import type { Environment } from "../environment.ts";
import { findCallingSession, thisSession } from "../session/calling-session.ts";
import { matchSession } from "../session/match-session.ts";
import { HitDescriber, type SearchResult } from "./describe-hit.ts";
import { HitFinder } from "./find-hits.ts";
import { type OpenedIndex, openUpdated } from "./open-index.ts";
import { SourceReader } from "./source-reader.ts";
import type { UpdateOptions } from "./update-index.ts";

export type { SearchResult };

export interface SearchRequest {
  /** As the user wrote it. */
  readonly words: string;
  /** A directory, or a part of its name. */
  readonly project?: string | undefined;
  /** An id, the start of it, or `this`. */
  readonly session?: string | undefined;
  /** An age, such as `30d`. */
  readonly since?: string | undefined;
  readonly role?: Role | undefined;
  readonly limit: number;
  readonly onProgress?: UpdateOptions["onProgress"];
}

export interface SearchAnswer {
  readonly results: readonly SearchResult[];
  /** No text has all the words: these have some. */
  readonly isPartial: boolean;
  /** What the user should know, in sentences. */
  readonly warnings: readonly string[];
}

const maxResultsPerSession = 3;

export async function search(environment: Environment, request: SearchRequest): Promise<SearchAnswer> {
  const query = parseQuery(request.words);
  if (query.all.length === 0) {
    throw new Failure("usage", "there is no word to search for", {
      hint: "Give at least one word with a letter or a digit that is not excluded with a minus.",
    });
  }
  const since = sinceOf(environment, request.since);
  const options = request.onProgress ? { onProgress: request.onProgress } : {};
  const opened = await openUpdated(environment, options);
  const filter = { role: request.role, since, limit: request.limit };
  try {
    return answer(environment, request, query, filter, opened);
  } catch (error) {
    if (!(error instanceof IndexError)) throw error;
    if (error.problem !== "corrupt") throw new Failure("failed", `the search index cannot be read: ${error.message}`);
    // Damage that only a query meets: the index is built anew.
    const rebuilt = await openUpdated(environment, { ...options, isDamaged: true });
    return answer(environment, request, query, filter, rebuilt);
  }
}

function answer(
  environment: Environment,
  request: SearchRequest,
  query: Query,
  { role, since, limit }: { role: Role | undefined; since: number | undefined; limit: number },
  { index, warnings }: OpenedIndex,
): SearchAnswer {
  try {
    const sources = index.sources();
    const isWanted = wantedSources(environment, request, sources);
    const reader = new SourceReader(environment, new Map(sources.map(({ session, project }) => [session, project])));
    const maxPerSession = request.session === undefined ? maxResultsPerSession : Infinity;
    const filter = { role, since, isWanted, maxPerSession };
    const found = new HitFinder({ index, sources }, reader, query, filter, environment.now()).find(limit);
    const describer = new HitDescriber(environment, reader, query);
    const results = found.hits.map((hit) => describer.describe(hit));
    const early = found.isComplete
      ? []
      : ["there are more places than could be read in time: add a word, --project or --since"];
    return { results, isPartial: found.isPartial, warnings: [...warnings, ...early] };
  } finally {
    index.close();
  }
}

function sinceOf({ now }: Environment, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const age = parseDuration(given);
  if (age !== undefined) return now() - age;
  throw new Failure("usage", `"${given}" is not a duration: use a number and m, h, d or w, for example 30d`);
}

function wantedSources(
  environment: Environment,
  { project, session }: SearchRequest,
  sources: readonly IndexedSource[],
): (source: IndexedSource) => boolean {
  const wanted = session === undefined ? undefined : chooseSession(environment, session, sources);
  const isProject = project === undefined ? () => true : projectTest(environment, project);
  return (source) => (wanted === undefined || source.session === wanted) && isProject(source.project);
}

function chooseSession(environment: Environment, given: string, sources: readonly IndexedSource[]): string {
  if (given === thisSession) return findCallingSession(environment);
  if (!isSessionId(given)) throw new Failure("usage", `"${given.slice(0, 60)}" is not a session id`);
  const match = matchSession(new Set(sources.map(({ session }) => session)), given);
  if (match !== undefined) return match;
  throw new Failure("not-found", `no session "${given}"`, { hint: "List them with: session-snapshot status" });
}

/** A directory means that directory; other text, a part of Claude's name for one. */
function projectTest({ cwd }: Environment, given: string): (project: string) => boolean {
  const path = absolutePath(given, cwd);
  if (isDirectory(path)) {
    const name = projectDirectoryName(resolveLinks(path));
    return (project) => project === name;
  }
  const part = projectDirectoryName(given).toLowerCase();
  return (project) => project.toLowerCase().includes(part);
}
