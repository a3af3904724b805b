import type { BytePath } from "../../io/files/byte-path.ts";
import { fileFacts } from "../../io/files/read-file.ts";
import { type Git, runGit, splitNul } from "../../io/git/run-git.ts";

export interface ChangedPaths {
  /** Files of the index that are missing or differ. */
  modified: BytePath[];
  /** What the index does not have and no pattern excludes; a nested repository ends with a slash. */
  others: BytePath[];
}

/** A repository inside of the workspace, or the workspace itself, and our index of it. */
export interface Place {
  workTree: string;
  index: string;
}

export const rootPlace = ({ directory }: Git, { workspace }: { workspace: string }): Place => ({
  workTree: workspace,
  index: `${directory}/index`,
});

const listOthers = ["ls-files", "-o", "--exclude-standard", "-z"];

/** What differs from the index. Two processes look at the same time, one of them with several threads. */
export async function findChanged(git: Git, place: Place): Promise<ChangedPaths> {
  const hasIndex = fileFacts(place.index) !== undefined;
  const [modified, others] = await Promise.all([
    hasIndex ? runGit(git, ["diff-files", "--name-only", "-z"], place) : Buffer.alloc(0),
    runGit(git, listOthers, place),
  ]);
  return { modified: splitNul(modified), others: splitNul(others) };
}
