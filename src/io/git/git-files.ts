import { lstatSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { readText, withFile, readRange } from "../files/read-file.ts";

/** Reads git's files directly. It never starts git, because a repository's configuration could make git run any program. */
export interface Repository {
  root: string;
  /** The remote address without credentials, or the directory. */
  name: string;
  /** Null when no branch is checked out. */
  branch: string | null;
  /** Newest last. */
  log: { commit: string; action: string; subject: string }[];
}

const logTailBytes = 16_384;

export function readRepository(directory: string): Repository | undefined {
  const root = findRoot(directory);
  const git = root === undefined ? undefined : gitDirectory(root);
  if (root === undefined || git === undefined) return undefined;
  const head = quiet(() => readText(join(git, "HEAD")))?.trim() ?? "";
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? null;
  // A linked worktree has its own HEAD and log, but uses the configuration of its repository.
  const common = quiet(() => readText(join(git, "commondir")))?.trim();
  const config = common === undefined ? git : isAbsolute(common) ? common : join(git, common);
  return { root, name: remoteOf(quiet(() => readText(join(config, "config")))) ?? root, branch, log: readLog(git) };
}

/** The directory, or the nearest parent, that git treats as the top of a repository. */
export function findRoot(directory: string): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    if (quiet(() => lstatSync(join(at, ".git"), { throwIfNoEntry: false })) !== undefined) return at;
    if (dirname(at) === at) return undefined;
  }
}

export interface ProjectGit {
  /** Of this working tree: its own index. */
  directory: string;
  /** Of the repository that a linked worktree belongs to: objects and excludes. */
  common: string;
}

/** Where git keeps the data of the working tree at this directory; undefined when git does not know it. */
export function findProjectGit(root: string): ProjectGit | undefined {
  const directory = quiet(() => gitDirectory(root));
  if (directory === undefined) return undefined;
  const common = quiet(() => readText(join(directory, "commondir")))?.trim();
  return { directory, common: common === undefined ? directory : resolve(directory, common) };
}

/** Git names its objects by SHA-1, unless the repository says otherwise. */
export const namesBySha1 = ({ common }: ProjectGit): boolean =>
  !/^\s*objectformat\s*=\s*(?!sha1\b)/im.test(quiet(() => readText(join(common, "config"))) ?? "");

/** The address of the project's remote without credentials; null without one. */
export const readRemote = ({ common }: ProjectGit): string | null =>
  remoteOf(quiet(() => readText(join(common, "config")))) ?? null;

/** The commit that is checked out; undefined before the first one. */
export function readHead({ directory, common }: ProjectGit): string | undefined {
  const head = quiet(() => readText(join(directory, "HEAD")))?.trim() ?? "";
  const name = /^ref: (refs\/.+)$/.exec(head)?.[1];
  if (name === undefined) return commitIn(head);
  const loose = quiet(() => readText(join(common, name)))?.trim();
  if (loose !== undefined) return commitIn(loose);
  const packed = quiet(() => readText(join(common, "packed-refs"))) ?? "";
  return packed
    .split("\n")
    .flatMap((line) => (line.endsWith(` ${name}`) ? (commitIn(line.split(" ")[0] ?? "") ?? []) : []))[0];
}

const commitIn = (text: string): string | undefined => /^[0-9a-f]{40,64}$/.exec(text)?.[0];

const operations: readonly (readonly [file: string, name: string])[] = [
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
];

/** The operation of git that has not ended in this working tree. */
export function unfinishedOperation({ directory }: ProjectGit): string | undefined {
  return operations.find(([file]) => quiet(() => lstatSync(join(directory, file), { throwIfNoEntry: false })))?.[1];
}

/** The user's own file of patterns that git ignores everywhere. */
export function globalExcludes(home: string, configHome: string): string {
  const settings = [join(configHome, "git/config"), join(home, ".gitconfig")].map(
    (path) => quiet(() => readText(path)) ?? "",
  );
  const chosen = settings
    .map((text) => /^\s*excludesfile\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(text)?.[1])
    .findLast(Boolean);
  const path = chosen?.replace(/^~(?=\/)/, home) ?? join(configHome, "git/ignore");
  return isAbsolute(path) ? (quiet(() => readText(path)) ?? "") : "";
}

function gitDirectory(root: string): string | undefined {
  const path = join(root, ".git");
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return path;
  const target = stats?.isFile() ? /^gitdir: (.+)$/m.exec(quiet(() => readText(path)) ?? "")?.[1]?.trim() : undefined;
  return target === undefined ? undefined : isAbsolute(target) ? target : join(root, target);
}

function readLog(git: string): Repository["log"] {
  const tail = quiet(() =>
    withFile(join(git, "logs/HEAD"), ({ fd, size }) =>
      new TextDecoder().decode(readRange(fd, Math.max(0, size - logTailBytes), size)),
    ),
  );
  return (tail ?? "").split("\n").flatMap((line) => {
    const [, commit, action, subject] = /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) [^\t]*\t([^:]*): ?(.*)$/.exec(line) ?? [];
    return commit !== undefined && action !== undefined ? [{ commit, action, subject: subject ?? "" }] : [];
  });
}

function remoteOf(config: string | undefined): string | undefined {
  const section = /^\[remote "origin"\]([^[]*)/m.exec(config ?? "")?.[1];
  const url = /^\s*url\s*=\s*(\S+)/m.exec(section ?? "")?.[1];
  // Removes a token in the address.
  return url?.replace(/^([a-z+]+:\/\/)[^/@]*@/i, "$1");
}

function quiet<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
