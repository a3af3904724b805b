import { Failure } from "../../core/failure.ts";
import { removeFile } from "../../io/durable/durable.ts";
import { writeProjectFile } from "../../io/durable/project-file.ts";
import { withScratchDirectory } from "../../io/durable/scratch-directory.ts";
import { type BytePath, textOfBytes } from "../../io/files/byte-path.ts";
import { type Git, runGit } from "../../io/git/run-git.ts";
import { scratchIndex } from "./compose-tree.ts";
import { listIgnored } from "./hidden-files.ts";
import { listEntries, readContents } from "./read-trees.ts";

const isPatternFile = (path: BytePath): boolean => /(?:^|\/)\.gitignore$/.test(path);

/**
 * The files of the present tree that the .gitignore files of another one exclude. Such a file may have existed at that time,
 * though no mark says so. `changed` are the paths in which the trees differ. The caller holds the workspace's lock.
 */
export async function ignoredAt(
  git: Git,
  { present, tree, changed }: { present: string; tree: string; changed: readonly BytePath[] },
): Promise<ReadonlySet<BytePath>> {
  if (!changed.some(isPatternFile)) return new Set();
  const entries = [...(await listEntries(git, tree))].filter(
    ([path, { kind }]) => isPatternFile(path) && kind !== "link",
  );
  const index = scratchIndex(git);
  return withScratchDirectory(async (workTree) => {
    const ids = entries.map(([, { id }]) => id);
    await readContents(git, ids, (id, content) => {
      for (const [path] of entries.filter(([, entry]) => entry.id === id)) {
        // Without its patterns, files that existed at that time would look new.
        if (!content) throw new Failure("corrupt", `the saved content of ${textOfBytes(path)} is damaged`);
        writeProjectFile(workTree, path, content, 0o600);
      }
    });
    await runGit(git, ["read-tree", present], { index });
    const ignored = await listIgnored(git, { workTree, index });
    removeFile(index);
    return new Set(ignored);
  });
}
