import { lstatSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { readText, withFile, readRange } from "./read-file.ts";

/** What git's own files say. Git itself is not started: a repository's configuration could make it run anything. */
export interface Repository {
  root: string;
  /** Its address without credentials, or its directory. */
  name: string;
  /** Null when no branch is checked out. */
  branch: string | null;
  /** The newest last. */
  log: { commit: string; action: string; subject: string }[];
}

const logTail = 16_384;

export function readRepository(directory: string): Repository | undefined {
  const root = findRoot(directory);
  const git = root === undefined ? undefined : gitDirectory(root);
  if (root === undefined || git === undefined) return undefined;
  const head = quiet(() => readText(join(git, "HEAD")))?.trim() ?? "";
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? null;
  // A linked worktree has its own HEAD and log; the configuration is that of the repository it belongs to.
  const common = quiet(() => readText(join(git, "commondir")))?.trim();
  const config = common === undefined ? git : isAbsolute(common) ? common : join(git, common);
  return { root, name: remoteOf(quiet(() => readText(join(config, "config")))) ?? root, branch, log: readLog(git) };
}

/** The directory, or the nearest above it, that git would take for the top of a repository. */
export function findRoot(directory: string): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    if (quiet(() => lstatSync(join(at, ".git"), { throwIfNoEntry: false })) !== undefined) return at;
    if (dirname(at) === at) return undefined;
  }
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
      new TextDecoder().decode(readRange(fd, Math.max(0, size - logTail), size)),
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
  // A token in the address is nobody's business.
  return url?.replace(/^([a-z+]+:\/\/)[^/@]*@/i, "$1");
}

function quiet<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
