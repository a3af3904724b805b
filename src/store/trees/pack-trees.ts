import { removeFile, replaceFile } from "../../io/durable/durable.ts";
import { isSharedFile, listDirectory } from "../../io/files/read-file.ts";
import { type Git, runGitSync } from "../../io/git/run-git.ts";
import { damagedPrefix, type TreeRecord } from "./tree-record.ts";

/**
 * Packs the objects of all marks and removes what no mark needs. A pack that the project has, too, costs nothing and stays;
 * once it is ours alone, only what the marks need of it is kept. The caller holds the workspace's lock.
 */
export function packTrees(git: Git, record: TreeRecord): void {
  const { directory } = git;
  if (listDirectory(directory).some((name) => name.startsWith(damagedPrefix))) return;
  replaceFile(`${directory}/packed-refs`, refsOf(record));
  const packs = `${directory}/objects/pack`;
  for (const name of listDirectory(packs)) {
    const keep = /^(pack-[0-9a-f]+)\.keep$/.exec(name)?.[1];
    if (keep !== undefined && !isSharedFile(`${packs}/${keep}.pack`)) removeFile(`${packs}/${name}`);
  }
  runGitSync(git, ["repack", "-a", "-d", "-q"]);
  // An interrupted capture, or a comparison with the present state, leaves objects that no mark has.
  runGitSync(git, ["prune", "--expire=now"]);
}

/** Names for git: everything that it must keep. The record is the truth; these are written from it. */
function refsOf({ marks, indexes, composed }: TreeRecord): string {
  const known = [...Object.values(indexes), ...(composed ? [composed] : [])];
  const refs = [
    ...marks.map(({ n, tree }) => [`refs/marks/${n}`, tree]),
    ...known.map(({ tree }, at) => [`refs/indexes/${at}`, tree]),
  ].sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  return `# pack-refs with: sorted\n${refs.map(([name, tree]) => `${tree} ${name}\n`).join("")}`;
}
