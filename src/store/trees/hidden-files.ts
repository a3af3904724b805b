import type { BytePath } from "../../io/files/byte-path.ts";
import { type Git, GitError, runGit, splitNul } from "../../io/git/run-git.ts";

export interface HiddenFiles {
  /** Ignored files that belong into a mark: the project tracks them, or a setting names them. */
  wanted: BytePath[];
  /** Files in our index that are ignored since. */
  unwanted: BytePath[];
}

interface HiddenOptions {
  include: readonly string[];
  projectIndex: string | undefined;
  /** The patterns or the list of tracked files have changed. */
  isOutdated: boolean;
}

/** Looks behind the patterns of .gitignore. */
export async function findHidden(
  git: Git,
  place: { workTree: string; index: string },
  { include, projectIndex, isOutdated }: HiddenOptions,
): Promise<HiddenFiles> {
  const included = include.length > 0 ? await findIncluded(git, place, include) : [];
  if (!isOutdated) return { wanted: included, unwanted: [] };
  const [ours, tracked] = await Promise.all([
    listIgnored(git, place),
    // A project's index may be in a format that ours does not know: then the rule for new files holds.
    projectIndex === undefined ? [] : listIgnored(git, { ...place, index: projectIndex }).catch(orNothing),
  ]);
  const kept = new Set([...tracked, ...included]);
  const matches = matcherOf(include);
  return {
    wanted: [...new Set([...included, ...tracked])],
    unwanted: ours.filter((path) => !kept.has(path) && !matches(path)),
  };
}

/** Files in the index that the patterns exclude. */
export const listIgnored = async (git: Git, place: { workTree: string; index: string }): Promise<BytePath[]> =>
  splitNul(await runGit(git, ["ls-files", "-c", "-i", "--exclude-standard", "-z"], place));

function orNothing(error: unknown): BytePath[] {
  if (error instanceof GitError && !error.wasAborted) return [];
  throw error;
}

/** Git does not look into an ignored directory, unless a pattern names the directory itself. */
async function findIncluded(
  git: Git,
  place: { workTree: string; index: string },
  include: readonly string[],
): Promise<BytePath[]> {
  const words = ["ls-files", "-o", "-i", "--exclude-standard", "--directory", "-z"];
  const ignored = splitNul(await runGit(git, words, place));
  const matching = ignored.filter(matcherOf(include));
  const files = matching.filter((path) => !path.endsWith("/"));
  const directories = matching.filter((path) => path.endsWith("/"));
  if (directories.length === 0) return files;
  const inside = await runGit(git, ["ls-files", "-o", "-z", "--", ...directories], place);
  return [...files, ...splitNul(inside).filter((path) => !path.endsWith("/"))];
}

/** As in .gitignore: a pattern with a slash means a path, one without a name in any directory, or what is below it. */
function matcherOf(patterns: readonly string[]): (path: BytePath) => boolean {
  const globs = patterns.map((pattern) => {
    const plain = pattern.replace(/^\//, "").replace(/\/$/, "");
    return { glob: new Bun.Glob(plain), isPath: pattern.replace(/\/$/, "").includes("/") };
  });
  return (path) => {
    const parts = path.replace(/\/$/, "").split("/");
    return globs.some(({ glob, isPath }) =>
      isPath
        ? parts.some((_, at) => glob.match(parts.slice(0, at + 1).join("/")))
        : parts.some((part) => glob.match(part)),
    );
  };
}
