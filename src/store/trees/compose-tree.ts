import { removeFile } from "../../io/durable/durable.ts";
import type { BytePath } from "../../io/files/byte-path.ts";
import { type Git, runGit } from "../../io/git/run-git.ts";
import type { TreeRecord } from "./tree-record.ts";

/** An index for one calculation. A leftover of a killed process is removed before the next capture. */
export const scratchIndex = ({ directory }: Git): string => `${directory}/indexes/composed`;

/** One tree of the workspace and its nested repositories, so that two marks can be compared as a whole. */
export async function composeTree(
  git: Git,
  parts: readonly { prefix: BytePath; tree: string }[],
  known: TreeRecord["composed"],
  indexOf: (prefix: BytePath) => string,
): Promise<NonNullable<TreeRecord["composed"]>> {
  const key = JSON.stringify(parts.map(({ prefix, tree }) => [prefix, tree]));
  if (known?.parts === key) return known;
  const [root, ...nested] = parts;
  const index = scratchIndex(git);
  await runGit(git, ["read-tree", root?.tree ?? ""], { index });
  const lists = await Promise.all(
    nested.map(async ({ prefix }) => {
      const entries = await runGit(git, ["ls-files", "-s", "-z"], { index: indexOf(prefix) });
      // "mode id stage\tpath"; the prefix goes before the path.
      return entries
        .toString("latin1")
        .replace(/(^|\0)(\d+ [0-9a-f]+ \d\t)/g, (_, end: string, start: string) => `${end}${start}${prefix}`);
    }),
  );
  const input = Buffer.from(lists.join(""), "latin1");
  await runGit(git, ["update-index", "-z", "--index-info"], { index, input });
  const tree = (await runGit(git, ["write-tree"], { index })).toString("latin1").trim();
  removeFile(index);
  return { parts: key, tree };
}
