import { projectDirectoryName } from "../../claude/paths.ts";
import { quotePosixWords } from "../../core/posix-quote.ts";
import { type ProjectIdentity, sameProject } from "../../core/rehome/same-project.ts";
import { directoryIdentity, isDirectory, parentOf, readText, resolveLinks } from "../../io/files/read-file.ts";
import { findGit } from "../../io/git/find-git.ts";
import { findRoot } from "../../io/git/git-files.ts";
import { listSessionIds } from "../../store/snapshots/session-view.ts";
import { readOrigin } from "../../store/trees/project-origin.ts";
import { listTreeDirectories } from "../../store/trees/tree-paths.ts";
import { readRecord } from "../../store/trees/tree-record.ts";
import type { Environment } from "../environment.ts";

/** A project that was at another path when its sessions were recorded. */
export interface MovedProject {
  readonly from: string;
  readonly to: string;
  /** How it was recognized: the same directory, the same history of git, or a link at the old path. */
  readonly by: "directory" | "history" | "link";
}

export const rehomeCommand = ({ from, to }: Pick<MovedProject, "from" | "to">): string =>
  quotePosixWords(["session-snapshot", "rehome", from, to]);

/**
 * Whether the project at this directory has sessions under an earlier path. A path that is still a directory of its own is not
 * an earlier one. Never fails: this only helps the user to find them.
 */
export async function findMoved(environment: Environment, directory: string): Promise<MovedProject | undefined> {
  try {
    const to = resolveLinks(directory);
    const found = bySnapshots(environment, to) ?? (await byFileMarks(environment, to));
    return found && { ...found, to };
  } catch {
    return undefined;
  }
}

type Found = Pick<MovedProject, "from" | "by">;

/** Reads the two fields from the text of a state, since its marks may be long and there may be hundreds. */
function bySnapshots({ paths }: Environment, to: string): Found | undefined {
  const present: ProjectIdentity = { directory: directoryIdentity(to), roots: [], remote: null };
  for (const id of listSessionIds(paths)) {
    const text = readText(paths.state(id)) ?? "";
    const from = fieldOf(text, "cwd");
    if (from === undefined || from === to) continue;
    if (isDirectory(from)) {
      const isElsewhere = parentOf(fieldOf(text, "transcriptPath") ?? "").endsWith(`/${projectDirectoryName(from)}`);
      if (isElsewhere && resolveLinks(from) === to) return { from, by: "link" };
      continue;
    }
    const recorded = { ...present, directory: fieldOf(text, "directory") ?? null };
    if (sameProject(recorded, present)) return { from, by: "directory" };
  }
  return undefined;
}

function fieldOf(state: string, name: string): string | undefined {
  const quoted = new RegExp(`"${name}":("(?:[^"\\\\]|\\\\.)*")`).exec(state)?.[1];
  return quoted === undefined ? undefined : (JSON.parse(quoted) as string);
}

/** The directory counts first. The history is for a project that was copied to another disk, or cloned again. */
async function byFileMarks(environment: Environment, to: string): Promise<Found | undefined> {
  const { paths, variables } = environment;
  const gone = listTreeDirectories(paths).flatMap((directory) => {
    const record = readRecord(directory);
    if (record === undefined || record === "damaged" || record.workspace === to) return [];
    return isDirectory(record.workspace) ? [] : [{ directory, record }];
  });
  const here: ProjectIdentity = { directory: directoryIdentity(to), roots: [], remote: null };
  const moved = gone.find(({ record }) => sameProject({ ...here, directory: record.identity }, here));
  if (moved) return { from: moved.record.workspace, by: "directory" };
  const known = gone.filter(({ record }) => record.origin !== undefined);
  const executable = findGit(variables["PATH"] ?? "", to);
  const [first] = known;
  if (first === undefined || executable === undefined || findRoot(to) !== to) return undefined;
  // Our own repository, so that git reads nothing of the project but its objects.
  const present = { ...here, ...(await readOrigin({ executable, directory: first.directory }, to)) };
  const same = known.find(({ record: { identity, origin } }) =>
    sameProject({ ...here, directory: identity, ...origin }, present),
  );
  return same && { from: same.record.workspace, by: "history" };
}
