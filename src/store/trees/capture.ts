import { Failure } from "../../core/failure.ts";
import type { LeftOut } from "../../core/files/file-mark.ts";
import { type BytePath, bytesOfText, lookAt, textOfBytes } from "../../io/files/byte-path.ts";
import { fileFacts, listDirectory } from "../../io/files/read-file.ts";
import { textHash } from "../../io/files/text-hash.ts";
import { findProjectGit } from "../../io/git/git-files.ts";
import { type Git, GitError, joinNul, runGit } from "../../io/git/run-git.ts";
import { findHidden } from "./hidden-files.ts";
import { composeTree } from "./compose-tree.ts";
import { type ChangedPaths, findChanged, type Place, rootPlace } from "./find-changed.ts";
import { linkProjectObjects } from "./link-objects.ts";
import { fitsOverlay, overlayTree } from "./overlay-tree.ts";
import { sortOut } from "./sort-out.ts";
import { emptyTree } from "./tree-paths.ts";
import type { KnownIndex, TreeRecord } from "./tree-record.ts";

export interface CaptureOptions {
  maxFileBytes: number;
  /** A directory with more bytes than this is not saved at all. */
  maxTotalBytes: number;
  /** Patterns of ignored files that are saved all the same. */
  include: readonly string[];
  /** The patterns of ignored files outside of the project's .gitignore have changed. */
  excludesChanged: boolean;
}

/** The present state of all files. Its objects are in the repository, but not yet durable. */
export interface Captured extends Pick<TreeRecord, "indexes" | "composed"> {
  tree: string;
  left: LeftOut[];
  /** Files that are new or not as the last capture saw them. */
  touched: BytePath[];
}

const maxFilesInHook = 20_000;
/** From this many new files on, the objects that the project has already are linked, so that they need not be written. */
const minFilesForLinks = 100;

/** Writes the tree of a workspace, with the content of nested repositories. The caller holds the workspace's lock. */
export async function captureTree(
  git: Git,
  record: TreeRecord,
  options: CaptureOptions,
  changed: Promise<ChangedPaths> = findChanged(git, rootPlace(git, record)),
): Promise<Captured> {
  const parts: { prefix: BytePath; tree: string }[] = [];
  const captured: Captured = { tree: emptyTree, left: [], touched: [], indexes: {}, composed: null };
  const waiting: BytePath[] = [""];
  for (let prefix = waiting.shift(); prefix !== undefined; prefix = waiting.shift()) {
    const place = prefix === "" ? rootPlace(git, record) : placeOf(git, record, prefix);
    const found = await (prefix === "" ? changed : findChanged(git, place));
    const part = await captureRepository(git, record, { prefix, place, found }, options);
    parts.push({ prefix, tree: part.tree });
    captured.indexes[prefix] = part.known;
    captured.left.push(...part.left.map((each) => ({ ...each, path: textOfBytes(prefix) + each.path })));
    captured.touched.push(...part.touched.map((path) => prefix + path));
    waiting.push(...part.nested.map((path) => prefix + path));
  }
  if (parts.length === 1) return { ...captured, tree: parts[0]?.tree ?? emptyTree };
  const composed = await composeTree(git, parts, record.composed, (prefix) => placeOf(git, record, prefix).index);
  return { ...captured, tree: composed.tree, composed };
}

interface Part {
  known: KnownIndex;
  tree: string;
  left: LeftOut[];
  touched: BytePath[];
  /** With a slash at the end. */
  nested: BytePath[];
}

async function captureRepository(
  git: Git,
  { indexes }: TreeRecord,
  { prefix, place, found: { modified, others } }: { prefix: BytePath; place: Place; found: ChangedPaths },
  { maxFileBytes, maxTotalBytes, include, excludesChanged }: CaptureOptions,
): Promise<Part> {
  const { workTree, index } = place;
  const before = indexes[prefix];
  const isKnown = before !== undefined && before.stamp === stampOf(index);
  // Git does not list a repository in place of a file that the index still has.
  const replaced = modified.filter((path) => lookAt(workTree, `${path}/.git`) !== undefined);
  const nested = nestedRepositories(workTree, prefix, [...others, ...replaced.map((path) => `${path}/`)]);
  const projectGit = findProjectGit(workTree);
  const project = projectGit ? stampOf(`${projectGit.directory}/index`) : "";
  const changed = [...modified, ...others.filter((path) => !path.endsWith("/"))];
  // So many take longer than a hook may wait, and looking at each cannot be stopped.
  if (git.isAwaited === true && changed.length > maxFilesInHook)
    throw new GitError("update-index", "too many new files", true);
  const hidden = await findHidden(git, place, {
    include,
    projectIndex: projectGit && project !== "" ? `${projectGit.directory}/index` : undefined,
    isOutdated:
      excludesChanged || before?.project !== project || changed.some((path) => /(?:^|\/)\.gitignore$/.test(path)),
  });
  const isUnwanted = new Set(hidden.unwanted);
  const sorted = sortOut(
    workTree,
    [...changed.filter((path) => !isUnwanted.has(path)), ...hidden.wanted],
    maxFileBytes,
  );
  if (sorted.bytes > maxTotalBytes)
    throw new Failure("failed", `${workTree} has ${sorted.bytes} bytes of new files, more than maxDisk allows to save`);
  const unwanted = [...hidden.unwanted, ...sorted.unwanted.filter((path) => modified.includes(path))];
  const touched = [...sorted.wanted, ...unwanted, ...Object.keys(before?.overlay?.entries ?? {})];
  const part = { left: sorted.left, touched, nested };
  const canOverlay = prefix === "" && isKnown && hidden.wanted.length + hidden.unwanted.length === 0;
  const differing = [...sorted.wanted, ...unwanted];
  if (canOverlay && differing.length > 0 && fitsOverlay(differing, sorted.bytes)) {
    const overlay = await overlayTree(
      git,
      { workTree, base: before.tree, wanted: sorted.wanted, unwanted },
      before.overlay,
    );
    if (overlay) return { ...part, known: { ...before, project, overlay }, tree: overlay.tree };
  }
  if (projectGit && sorted.wanted.length >= minFilesForLinks) await linkProjectObjects(git.directory, projectGit);
  await updateIndex(git, place, sorted.wanted, unwanted);
  const isSame = isKnown && sorted.wanted.length === 0 && unwanted.length === 0;
  const tree = isSame ? before.tree : (await runGit(git, ["write-tree"], { index })).toString("latin1").trim();
  return { ...part, known: { stamp: stampOf(index), tree, project }, tree };
}

async function updateIndex(
  git: Git,
  place: { workTree: string; index: string },
  wanted: readonly BytePath[],
  unwanted: readonly BytePath[],
): Promise<void> {
  if (unwanted.length > 0)
    await runGit(git, ["update-index", "--force-remove", "-z", "--stdin"], { ...place, input: joinNul(unwanted) });
  if (wanted.length === 0) return;
  const words = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
  await runGit(git, words, { ...place, input: joinNul(wanted) });
}

/** Git lists a nested repository as one path with a slash at its end. Claude's worktrees are saved even where they are ignored. */
function nestedRepositories(workTree: string, prefix: BytePath, others: readonly BytePath[]): BytePath[] {
  const found = others.filter((path) => path.endsWith("/") && bytesOfText(textOfBytes(path)) === path);
  if (prefix !== "") return found;
  const directory = ".claude/worktrees";
  // A link would lead to files of another project.
  const isOwn = (path: BytePath): boolean => lookAt(workTree, path)?.isDirectory() ?? false;
  if (!isOwn(".claude") || !isOwn(directory)) return found;
  const worktrees = listDirectory(`${workTree}/${directory}`)
    .map((name) => bytesOfText(`${directory}/${name}`))
    .filter((path) => isOwn(path) && lookAt(workTree, `${path}/.git`) !== undefined)
    .map((path) => `${path}/`);
  return [...new Set([...found, ...worktrees])];
}

/** Of a nested repository; its path ends with a slash. */
const placeOf = ({ directory }: Git, { workspace }: TreeRecord, prefix: BytePath): Place => ({
  workTree: `${workspace}/${textOfBytes(prefix)}`.replace(/\/$/, ""),
  index: `${directory}/indexes/${textHash(prefix).slice(0, 20)}`,
});

/** Empty when there is no file. */
function stampOf(path: string): string {
  const facts = fileFacts(path);
  return facts ? `${facts.modified}:${facts.size}` : "";
}
