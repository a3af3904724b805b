/** One side of a changed path. */
export interface TreeEntry {
  kind: "file" | "executable" | "link";
  /** The id of the content. */
  id: string;
}

/** How a path differs between two trees. */
export interface FileChange {
  /** Below the workspace, as bytes: one character each. */
  path: string;
  /** Undefined when it does not exist there. */
  from: TreeEntry | undefined;
  to: TreeEntry | undefined;
}

export type ChangeKind = "added" | "removed" | "changed";

export const kindOfChange = ({ from, to }: FileChange): ChangeKind =>
  from === undefined ? "added" : to === undefined ? "removed" : "changed";

export interface LineCounts {
  added: number;
  removed: number;
}

/** `+120 −4 in 3 files`. */
export function describeChange({ added, removed, files }: LineCounts & { files: number }): string {
  if (files === 0) return "";
  return `+${added} −${removed} in ${files} ${files === 1 ? "file" : "files"}`;
}

/** Whether the path is one of these, or below one of them. Without any, every path is meant. */
export const isMeant = (path: string, paths: readonly string[]): boolean =>
  paths.length === 0 || paths.some((each) => each === "" || path === each || path.startsWith(`${each}/`));
