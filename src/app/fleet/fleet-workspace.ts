import { Failure } from "../../core/failure.ts";
import { branchOf } from "../../core/fleet/fleet-run.ts";
import { messageOf } from "../../core/message-of.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import { removeTree } from "../../io/durable/remove-tree.ts";
import { isDirectory, listDirectory } from "../../io/files/read-file.ts";
import { textHash } from "../../io/files/text-hash.ts";
import { findGit } from "../../io/git/find-git.ts";
import { runUserGit, type UserGit } from "../../io/git/user-git.ts";
import { lockOrFail, lockWithin } from "../../store/lock.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import type { Environment } from "../environment.ts";
import { runPathsOf } from "../run-records/register-run.ts";

/** Long enough for another slot that clones the same repository. */
const cloneTimeoutMs = 600_000;

const worktreesOf = ({ fleet }: RunPaths): string => `${fleet}/work`;
const worktreeOf = (paths: RunPaths, run: string): string => `${worktreesOf(paths)}/${run}`;

export const listWorktrees = (paths: RunPaths): string[] =>
  listDirectory(worktreesOf(paths)).filter((name) => !name.startsWith("."));

export interface Produced {
  readonly commit: string | null;
  readonly patch: Buffer | null;
}

/** The working tree of one run: of the worker's own clone, or of a new repository. */
export class FleetWorkspace {
  readonly directory: string;
  readonly #run: string;
  readonly #repository: string;
  readonly #lock: string;
  readonly #repo: string | null;
  readonly #git: UserGit;
  readonly #paths: RunPaths;

  constructor(environment: Environment, run: string, repo: string | null) {
    const executable = findGit(environment.variables["PATH"] ?? "", environment.cwd);
    if (executable === undefined) throw new Failure("failed", "git is not on PATH");
    this.#paths = runPathsOf(environment);
    this.#git = { executable, variables: environment.variables };
    this.#run = run;
    this.#repo = repo;
    this.directory = worktreeOf(this.#paths, run);
    const name = textHash(repo ?? `empty ${run}`);
    this.#repository = `${this.#paths.fleet}/repositories/${name}.git`;
    this.#lock = `${this.#paths.locks}/fleet-${name}.lock`;
  }

  get isPresent(): boolean {
    return isDirectory(`${this.directory}/.ai-runtime`) || isDirectory(`${this.directory}/.git`) || this.#hasLink;
  }

  get #hasLink(): boolean {
    return listDirectory(this.directory).includes(".git");
  }

  /** Makes the working tree, and returns the commit that it has checked out. */
  async prepare(ref: string | null): Promise<string> {
    return this.#locked(async () => {
      makeDirectory(worktreesOf(this.#paths));
      await this.#makeRepository();
      const base = await this.#resolve(ref);
      await this.#dropWorktree();
      await this.#inRepository(["worktree", "add", "--force", "-B", branchOf(this.#run), this.directory, base]);
      return base;
    });
  }

  /** What was done since the base, as a commit on the branch of the run. Commits that Claude made stay. */
  async produce(base: string, message: string): Promise<Produced> {
    const here = (words: string[]): Promise<Buffer> => runUserGit(this.#git, this.directory, words);
    await here(["add", "--all"]);
    const changed = (await here(["diff", "--cached", "--name-only"])).length > 0;
    if (changed) await here(["commit", "--quiet", "--no-verify", "--no-gpg-sign", "--message", message]);
    const commit = (await here(["rev-parse", "HEAD"])).toString().trim();
    if (commit === base) return { commit: null, patch: null };
    const patch = await here(["diff", "--binary", "--no-color", "--no-ext-diff", base, commit]);
    return { commit, patch };
  }

  /** Sends the branch to the repository. */
  async push(commit: string): Promise<void> {
    const target = `${commit}:refs/heads/${branchOf(this.#run)}`;
    await runUserGit(this.#git, this.directory, ["push", "--quiet", "--force", "origin", target]);
  }

  /** Removes the working tree and its branch, and makes sure that both are gone. */
  async remove(): Promise<void> {
    await this.#locked(async () => {
      if (!isDirectory(this.#repository)) return removeTree(this.directory);
      await this.#dropWorktree();
      if (this.#repo === null) removeTree(this.#repository);
    });
    if (isDirectory(this.directory)) throw new Failure("failed", `${this.directory} could not be removed`);
  }

  async #dropWorktree(): Promise<void> {
    if (isDirectory(this.directory)) removeTree(this.directory);
    await this.#inRepository(["worktree", "prune"]);
    const branch = `refs/heads/${branchOf(this.#run)}`;
    const left = (await this.#inRepository(["for-each-ref", "--format=%(refname)", branch])).toString().trim();
    if (left === branch) await this.#inRepository(["update-ref", "-d", branch]);
  }

  async #makeRepository(): Promise<void> {
    if (!isDirectory(`${this.#repository}/objects`)) {
      makeDirectory(this.#repository);
      await runUserGit(this.#git, this.#repository, ["init", "--quiet", "--bare", "."]);
      if (this.#repo !== null) await this.#inRepository(["config", "remote.origin.url", this.#repo]);
    }
    if (this.#repo === null) return;
    const heads = "+refs/heads/*:refs/remotes/origin/*";
    await this.#inRepository(["config", "--replace-all", "remote.origin.fetch", heads]);
  }

  async #resolve(ref: string | null): Promise<string> {
    if (this.#repo === null) return this.#emptyCommit();
    await this.#inRepository(["fetch", "--quiet", "--prune", "--tags", "origin"]);
    if (ref === null) {
      await this.#inRepository(["fetch", "--quiet", "origin", "HEAD"]);
      return this.#commitOf("FETCH_HEAD");
    }
    for (const name of [`refs/remotes/origin/${ref}`, `refs/tags/${ref}`, ref]) {
      const found = await this.#commitOf(name).catch(() => undefined);
      if (found !== undefined) return found;
    }
    // A commit of no branch, as of a pull request: some servers give it.
    await this.#inRepository(["fetch", "--quiet", "origin", ref]).catch((error: unknown) => {
      throw new Failure("not-found", `${this.#repo} has no "${ref}": ${messageOf(error)}`);
    });
    return this.#commitOf("FETCH_HEAD");
  }

  async #commitOf(name: string): Promise<string> {
    return (await this.#inRepository(["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]))
      .toString()
      .trim();
  }

  async #emptyCommit(): Promise<string> {
    const tree = (await this.#inRepository(["mktree"])).toString().trim();
    return (await this.#inRepository(["commit-tree", tree, "-m", "Start"])).toString().trim();
  }

  #inRepository(words: string[]): Promise<Buffer> {
    return runUserGit(this.#git, this.#repository, ["--git-dir", this.#repository, ...words]);
  }

  async #locked<Result>(work: () => Promise<Result>): Promise<Result> {
    for (const directory of [this.#paths.locks, `${this.#paths.fleet}/repositories`]) makeDirectory(directory);
    const lock = lockOrFail(
      await lockWithin(this.#lock, cloneTimeoutMs),
      `another run prepares the same repository for more than ${cloneTimeoutMs / 60_000} minutes`,
    );
    try {
      return await work();
    } finally {
      lock.release();
    }
  }
}

const schemes = /^(https?|ssh|git|file):\/\//i;

/** The address of a repository, without credentials; throws in words. */
export function checkRepo(text: string): string {
  const bad = (why: string): Failure =>
    new Failure("usage", `"${text.slice(0, 80)}" is not an address of a repository: ${why}`);
  if (text.startsWith("-") || /[\s\0]/.test(text)) throw bad("it may not begin with - or contain spaces");
  if (/^[a-z]+::/i.test(text)) throw bad("use https, ssh, git or file");
  if (text.startsWith("/")) return `file://${text}`;
  if (!schemes.test(text)) {
    if (/^(?:[\w.-]+@)?[\w.-]+:(?!\/\/)\S+$/.test(text)) return text;
    throw bad("use https, ssh, git, file, or user@host:path");
  }
  try {
    const url = new URL(text);
    if (url.password !== "" || (/^https?:$/.test(url.protocol) && url.username !== "")) {
      throw bad("it holds a password or a token; workers use their own credentials");
    }
    return text;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw bad("it cannot be read");
  }
}

/** A branch, tag or commit; throws in words. */
export function checkRef(text: string): string {
  if (/^[A-Za-z0-9_][\w./-]{0,200}$/.test(text) && !text.includes("..")) return text;
  throw new Failure("usage", `"${text.slice(0, 80)}" is not a branch, tag or commit`);
}
