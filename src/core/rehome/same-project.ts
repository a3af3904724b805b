/** What identifies a project wherever it is. */
export interface ProjectIdentity {
  /** Device, inode and birth time of its directory; a rename keeps them. */
  readonly directory: string | null;
  /** The first commits of its history; empty without git. */
  readonly roots: readonly string[];
  /** The address of its remote; null without one. */
  readonly remote: string | null;
}

/**
 * Why two sightings are the same project; undefined when they are not known to be. A copy on another disk has another inode, so its
 * history counts, together with its remote: two projects from one template share only the history.
 */
export function sameProject(one: ProjectIdentity, other: ProjectIdentity): "directory" | "history" | undefined {
  if (one.directory !== null && one.directory === other.directory) return "directory";
  const isShared = one.roots.some((root) => other.roots.includes(root));
  return isShared && one.remote === other.remote ? "history" : undefined;
}
