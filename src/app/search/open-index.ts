import { DurableError, makeDirectory } from "../../io/durable/durable.ts";
import { fileSize } from "../../io/files/read-file.ts";
import { IndexError } from "../../store/index/index-error.ts";
import { removeIndex, SearchIndex } from "../../store/index/search-index.ts";
import { lockWithin, tryLock } from "../../store/lock.ts";
import type { Environment } from "../environment.ts";
import { updateIndex, type UpdateOptions } from "./update-index.ts";

export interface OpenedIndex {
  readonly index: SearchIndex;
  /** What the user should know about the answer, in sentences. */
  readonly warnings: string[];
}

/** Another search indexes what is new within this time; a first indexing takes longer. */
const lockTimeoutMs = 3_000;
/** More than this share of an index that leads nowhere is worth building it anew. */
const maxWasted = 0.5;

/** The index with everything that is new. Where it cannot be written, an index in memory takes its place, or the old one answers. */
export async function openUpdated(environment: Environment, options: UpdateOptions = {}): Promise<OpenedIndex> {
  const { paths } = environment;
  const lock = await lockOrProblem(environment);
  if (lock === "unwritable") return inMemory(environment, options, `${paths.root} cannot be written`);
  if (lock === undefined) {
    const index = fileSize(paths.searchIndex) === undefined ? undefined : openAsIs(paths.searchIndex);
    const warning = "another process is updating the index: the newest text may be missing";
    return index
      ? { index, warnings: [warning] }
      : inMemory(environment, options, "another process is building the index");
  }
  try {
    return options.isDamaged ? rebuild(environment, options) : openLocked(environment, options);
  } finally {
    lock.release();
  }
}

async function lockOrProblem({ paths }: Environment): Promise<Awaited<ReturnType<typeof lockWithin>> | "unwritable"> {
  try {
    makeDirectory(paths.root, { shared: true });
    return await lockWithin(paths.searchIndexLock, lockTimeoutMs);
  } catch {
    return "unwritable";
  }
}

function openAsIs(path: string): SearchIndex | undefined {
  try {
    return SearchIndex.open(path);
  } catch {
    return undefined;
  }
}

/** The caller holds the index lock. */
function openLocked(environment: Environment, options: UpdateOptions): OpenedIndex {
  const path = environment.paths.searchIndex;
  let index: SearchIndex | undefined;
  try {
    index = openOrRebuild(path, options.all === true);
    return { index, warnings: updateIndex(environment, index, options) };
  } catch (error) {
    if (!isIndexProblem(error)) throw error;
    if (error instanceof IndexError && error.problem === "corrupt") {
      index?.close();
      return rebuild(environment, options);
    }
    return keepGoing(environment, options, index, error);
  }
}

const isIndexProblem = (error: unknown): error is Error => error instanceof IndexError || error instanceof DurableError;

/** What the index has is an answer, although not the newest; without an index, one in memory gives it. */
function keepGoing(
  environment: Environment,
  options: UpdateOptions,
  index: SearchIndex | undefined,
  error: Error,
): OpenedIndex {
  if (index && hasSources(index))
    return { index, warnings: [`the index could not be updated (${error.message}): the newest text may be missing`] };
  index?.close();
  return inMemory(environment, options, error.message);
}

function hasSources(index: SearchIndex): boolean {
  try {
    return index.sources().length > 0;
  } catch {
    return false;
  }
}

function openOrRebuild(path: string, isThorough: boolean): SearchIndex {
  const index = SearchIndex.open(path);
  if (!isThorough || (index.isSound() && index.wasted() <= maxWasted)) return index;
  index.close();
  removeIndex(path);
  return SearchIndex.open(path);
}

/** Nothing is lost with a damaged index, so the user need not know. */
function rebuild(environment: Environment, options: UpdateOptions): OpenedIndex {
  const path = environment.paths.searchIndex;
  let index: SearchIndex | undefined;
  try {
    removeIndex(path);
    index = SearchIndex.open(path);
    return { index, warnings: updateIndex(environment, index, options) };
  } catch (error) {
    if (!isIndexProblem(error)) throw error;
    return keepGoing(environment, options, index, error);
  }
}

function inMemory(environment: Environment, options: UpdateOptions, why: string): OpenedIndex {
  const index = SearchIndex.inMemory();
  const problems = updateIndex(environment, index, options);
  return {
    index,
    warnings: [`searching without ${environment.paths.searchIndex}, which takes longer: ${why}`, ...problems],
  };
}

/** For maintenance: also checks the index and drops what is gone. Does nothing while another process updates it. */
export function maintainIndex(environment: Environment): string[] {
  makeDirectory(environment.paths.root, { shared: true });
  const lock = tryLock(environment.paths.searchIndexLock);
  if (!lock) return [];
  try {
    const { index, warnings } = openLocked(environment, { all: true });
    index.close();
    return warnings;
  } finally {
    lock.release();
  }
}
