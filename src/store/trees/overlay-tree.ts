import { parentsOf } from "../../core/files/order-restore.ts";
import { createTogether, type NewFile } from "../../io/durable/create-together.ts";
import { type BytePath, lookAt } from "../../io/files/byte-path.ts";
import { readProjectEntry } from "../../io/files/read-project-file.ts";
import {
  type GitObject,
  looseObject,
  objectId,
  parseTree,
  serializeTree,
  type TreeNode,
} from "../../io/git/objects.ts";
import { type Git, runGit } from "../../io/git/run-git.ts";
import { type ReadObject, splitObjects } from "./read-trees.ts";

/** Files that differ from an index of git, and the tree of the index with them. */
export interface Overlay {
  /** `path` and `mode id` of each file; an empty text when it is missing. */
  entries: Record<BytePath, string>;
  tree: string;
}

const maxFiles = 32;
const maxBytes = 1_000_000;

/** More than this is worth an update of the index. */
export const fitsOverlay = (paths: readonly BytePath[], bytes: number): boolean =>
  // The names go to git as lines.
  paths.length <= maxFiles && bytes <= maxBytes && paths.every((path) => !path.includes("\n"));

interface OverlayRequest {
  workTree: string;
  /** The tree of the index. */
  base: string;
  /** As they are now; a missing one leaves the tree. */
  wanted: readonly BytePath[];
  /** Leave the tree, even if they exist: too large, or not a file. */
  unwanted: readonly BytePath[];
}

/**
 * The tree of an index with a few files as they are now. It costs the directories above these files, while updating the index
 * costs all files of the project. Returns undefined when it cannot be made, as after a file has vanished meanwhile.
 */
export async function overlayTree(
  git: Git,
  { workTree, base, wanted, unwanted }: OverlayRequest,
  known: Overlay | undefined,
): Promise<Overlay | undefined> {
  const paths = [...wanted, ...unwanted];
  let contents: Map<BytePath, GitObject & { mode: string }>;
  try {
    contents = new Map(wanted.flatMap((path) => presentObject(workTree, path)));
  } catch {
    return undefined;
  }
  const entries = Object.fromEntries(
    [...paths].sort().map((path) => {
      const present = contents.get(path);
      return [path, present ? `${present.mode} ${present.id}` : ""];
    }),
  );
  if (known && JSON.stringify(known.entries) === JSON.stringify(entries)) return known;
  const trees = await readTrees(git, base, [...new Set(paths.flatMap(parentsOf))]);
  if (!trees) return undefined;
  const isOld = new Set([...trees.values()].flatMap((nodes) => [...nodes.values()].map(({ id }) => id)));
  const objects: GitObject[] = [...contents.values()];
  const tree = compose(trees, paths, contents, objects);
  const { directory } = git;
  const files = objects.filter(({ id }) => !isOld.has(id) && id !== base).map((object) => fileOf(directory, object));
  await createTogether([...new Map(files.map((file) => [file.path, file])).values()]);
  return { entries, tree };
}

const fileOf = (directory: string, object: GitObject): NewFile => ({
  path: `${directory}/objects/${object.id.slice(0, 2)}/${object.id.slice(2)}`,
  content: looseObject(object),
});

/** Nothing when there is no file: it leaves the tree. */
function presentObject(workTree: string, path: BytePath): [BytePath, GitObject & { mode: string }][] {
  // A link in place of a directory leads to files that are not the project's.
  if (parentsOf(path).some((parent) => lookAt(workTree, parent)?.isSymbolicLink())) return [];
  const entry = readProjectEntry(workTree, path);
  if (entry.kind !== "file" && entry.kind !== "link") return [];
  const mode = entry.kind === "link" ? "120000" : (entry.mode & 0o100) !== 0 ? "100755" : "100644";
  const object = { type: "blob", content: entry.content } as const;
  return [[path, { ...object, mode, id: objectId(object) }]];
}

type Trees = Map<BytePath, Map<string, TreeNode>>;

/** The trees of these directories and of the top (""). A directory that the base does not have is empty. */
async function readTrees(git: Git, base: string, directories: readonly BytePath[]): Promise<Trees | undefined> {
  const names = [base, ...directories.map((path) => `${base}:${path}`)];
  const input = Buffer.from(names.map((name) => `${name}\n`).join(""), "latin1");
  const objects = splitObjects(await runGit(git, ["cat-file", "--batch"], { input }));
  if (objects.length !== names.length || !isTree(objects[0])) return undefined;
  return new Map(
    ["", ...directories].map((path, at) => {
      const object = objects[at];
      return [path, isTree(object) ? parseTree(object.content) : new Map<string, TreeNode>()];
    }),
  );
}

const isTree = (object: ReadObject | "missing" | undefined): object is ReadObject =>
  typeof object === "object" && object.type === "tree";

/** Changes the trees, from the deepest on, and returns the id of the top. New tree objects are added to `objects`. */
function compose(
  trees: Trees,
  paths: readonly BytePath[],
  contents: ReadonlyMap<BytePath, { mode: string; id: string }>,
  objects: GitObject[],
): string {
  for (const path of paths) {
    const nodes = trees.get(parentsOf(path)[0] ?? "");
    const present = contents.get(path);
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (present) nodes?.set(name, { mode: present.mode, id: present.id });
    else if (nodes?.get(name)?.mode !== directoryMode) nodes?.delete(name);
  }
  const depth = (path: BytePath): number => path.split("/").length;
  for (const path of [...trees.keys()].filter(Boolean).sort((a, b) => depth(b) - depth(a))) {
    const nodes = trees.get(parentsOf(path)[0] ?? "");
    const name = path.slice(path.lastIndexOf("/") + 1);
    const hasFiles = (trees.get(path)?.size ?? 0) > 0 && !contents.has(path);
    if (hasFiles) nodes?.set(name, { mode: directoryMode, id: addTree(path) });
    else if (nodes?.get(name)?.mode === directoryMode) nodes.delete(name);
  }
  return addTree("");

  function addTree(path: BytePath): string {
    const object = { type: "tree", content: serializeTree(trees.get(path) ?? new Map()) } as const;
    const id = objectId(object);
    objects.push({ ...object, id });
    return id;
  }
}

const directoryMode = "40000";
