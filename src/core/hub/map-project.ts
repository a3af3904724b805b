/** Where a conversation took place, in terms that hold on every machine. */
export interface HubProject {
  /** The normalized address of the git remote `origin`; null without one. */
  readonly remote: string | null;
  /** The top of the checkout, or the directory itself. */
  readonly root: string;
  /** From the root to the working directory; "" is the root itself. */
  readonly inside: string;
}

/** `git@host:owner/repo.git`, `ssh://git@host/owner/repo` and `https://host/owner/repo` are the same repository. */
export function normalizeRemote(address: string): string | null {
  const text = address
    .trim()
    .replace(/\/+$/, "")
    .replace(/\.git$/i, "");
  const scp = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.+)$/.exec(text);
  const url = /^[a-z][a-z+.-]*:\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/i.exec(text);
  const [, host, path] = url ?? scp ?? [];
  return host === undefined || path === undefined ? null : `${host.toLowerCase()}/${path.replace(/^\/+/, "")}`;
}

/** The texts under which a project is found in the hub. */
export const projectTags = ({ remote, root }: HubProject): string[] =>
  remote === null ? [`directory:${root}`] : [`remote:${remote}`];

/** Whether two checkouts are of the same project. Without a remote only the same path is. */
export const isSameProject = (one: HubProject, other: HubProject): boolean =>
  one.remote === null ? other.remote === null && one.root === other.root : one.remote === other.remote;

/** The directory of this machine in which a conversation of another machine continues; undefined when none is known. */
export function mapProject(origin: HubProject, candidates: readonly HubProject[]): string | undefined {
  const found = candidates.find((each) => isSameProject(origin, each));
  return found && (origin.inside === "" ? found.root : `${found.root}/${origin.inside}`);
}
