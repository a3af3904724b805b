import { type Git, runGit } from "../../io/git/run-git.ts";

// File marks leave the machine as packs, and arrive as packs.

/** One pack with everything of `trees` that is not in `known`. */
export function packNewTrees(git: Git, trees: readonly string[], known: readonly string[]): Promise<Buffer> {
  const input = [...trees, ...known.map((tree) => `^${tree}`), ""].join("\n");
  return runGit(git, ["pack-objects", "--revs", "--stdout", "-q", "--delta-base-offset"], { input });
}

/** Adds a pack to a repository of ours. Git checks every object. */
export async function unpackTrees(git: Git, pack: Uint8Array): Promise<void> {
  await runGit(git, ["index-pack", "--stdin"], { input: pack });
}
