import { pathSlug } from "../../core/path-slug.ts";
import { listDirectory } from "../../io/files/read-file.ts";
import { textHash } from "../../io/files/text-hash.ts";
import type { SnapshotPaths } from "../snapshots/snapshot-paths.ts";

/** Git knows the tree without any file by this name. */
export const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

export const treesDirectory = ({ root }: SnapshotPaths): string => `${root}/trees`;

/** The repository of ours that holds the file marks of a workspace. */
export const treeDirectory = (paths: SnapshotPaths, workspace: string): string =>
  `${treesDirectory(paths)}/${pathSlug(workspace, textHash)}`;

/** One process at a time marks, restores, packs or removes. */
export const treeLock = (paths: SnapshotPaths, workspace: string): string =>
  `${paths.locks}/tree-${pathSlug(workspace, textHash)}.lock`;

/** Of every workspace with file marks. */
export const listTreeDirectories = (paths: SnapshotPaths): string[] =>
  listDirectory(treesDirectory(paths))
    .filter((name) => !name.startsWith("."))
    .sort()
    .map((name) => `${treesDirectory(paths)}/${name}`);
