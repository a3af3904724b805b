import { findProjectGit, readHead, readRemote } from "../../io/git/git-files.ts";
import { type Git, GitError, runGit } from "../../io/git/run-git.ts";

/** What a project's git knows about where it comes from. */
export interface ProjectOrigin {
  /** The first commits of its history, in order; empty when they are unknown. */
  roots: string[];
  remote: string | null;
}

const timeoutMs = 20_000;

/**
 * Reads the origin of the project at this directory. Git runs on a repository of ours with the project's objects, so nothing that
 * the project configures applies. A shallow clone has no known root.
 */
export async function readOrigin(git: Git, root: string): Promise<ProjectOrigin> {
  const project = findProjectGit(root);
  if (project === undefined) return { roots: [], remote: null };
  const remote = readRemote(project);
  const head = readHead(project);
  if (head === undefined) return { roots: [], remote };
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const words = ["rev-list", "--max-parents=0", head];
    const output = await runGit({ ...git, signal }, words, { objects: `${project.common}/objects` });
    return { roots: output.toString().split("\n").filter(Boolean).sort(), remote };
  } catch (error) {
    if (error instanceof GitError) return { roots: [], remote };
    throw error;
  }
}
