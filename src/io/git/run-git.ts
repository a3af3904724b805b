import { messageOf } from "../../core/message-of.ts";

/** A repository of ours, and the program that works on it. */
export interface Git {
  executable: string;
  /** Our own repository; its configuration is ours, so nothing that a project says applies. */
  directory: string;
  /** Ends a command that is still running. */
  signal?: AbortSignal;
  /** Claude waits for it. */
  isAwaited?: boolean;
}

export interface GitOptions {
  /** Without one, git reads no file of the project, not even its attributes. */
  workTree?: string;
  /** The index file; default: the repository's. */
  index?: string;
  input?: Uint8Array | string;
  /** Another directory of objects than the repository's. */
  objects?: string;
}

export class GitError extends Error {
  override readonly name = "GitError";
  readonly command: string;
  readonly wasAborted: boolean;

  constructor(command: string, reason: string, wasAborted = false) {
    super(`git ${command} failed: ${reason}`);
    this.command = command;
    this.wasAborted = wasAborted;
  }
}

/** Runs one git command to its end and returns what it printed. A failing command throws a GitError. */
export async function runGit(git: Git, words: readonly string[], options: GitOptions = {}): Promise<Buffer> {
  const { executable, directory, signal } = git;
  const command = words[0] ?? "";
  if (signal?.aborted) throw new GitError(command, "stopped", true);
  let child;
  try {
    child = withPrivateMask(() =>
      Bun.spawn([executable, ...words], {
        cwd: options.workTree ?? directory,
        env: environmentFor(git, options),
        stdin: options.input === undefined ? "ignore" : Buffer.from(options.input),
        stdout: "pipe",
        stderr: "pipe",
        ...(signal ? { signal, killSignal: "SIGKILL" } : {}),
      }),
    );
  } catch (error) {
    throw new GitError(command, messageOf(error));
  }
  // A caller that starts two of them has both running before the first output is waited for.
  await undefined;
  const end = Promise.all([new Response(child.stdout).arrayBuffer(), new Response(child.stderr).text(), child.exited]);
  const ended = await (signal ? Promise.race([end, killed(signal, child.exited)]) : end);
  if (ended === "killed") throw new GitError(command, "stopped", true);
  const [output, errors, exitCode] = ended;
  if (exitCode === 0) return Buffer.from(output);
  const reason = errors.trim().split("\n").at(-1) || `it ended with ${child.signalCode ?? exitCode}`;
  throw new GitError(command, reason, signal?.aborted === true);
}

const killGraceMs = 200;

/**
 * A git that is a script leaves programs that keep the pipes open, and one that waits for a disk cannot be killed: the caller
 * continues without their end.
 */
async function killed(signal: AbortSignal, exited: Promise<unknown>): Promise<"killed"> {
  const aborted = Promise.withResolvers<void>();
  if (signal.aborted) aborted.resolve();
  signal.addEventListener("abort", () => aborted.resolve(), { once: true });
  await aborted.promise;
  await Promise.race([exited, Bun.sleep(killGraceMs)]);
  return "killed";
}

/** The same without other work meanwhile, for maintenance. */
export function runGitSync(git: Git, words: readonly string[]): void {
  const child = withPrivateMask(() =>
    Bun.spawnSync([git.executable, ...words], { cwd: git.directory, env: environmentFor(git, {}) }),
  );
  if (child.exitCode === 0) return;
  const reason = child.stderr.toString().trim().split("\n").at(-1);
  throw new GitError(words[0] ?? "", reason || `it ended with ${child.signalCode ?? child.exitCode}`);
}

/** Even git's temporary files are for this user only. A child has the mask that its parent had when it started. */
function withPrivateMask<T>(start: () => T): T {
  const mask = process.umask(0o077);
  try {
    return start();
  } finally {
    process.umask(mask);
  }
}

/**
 * Every variable that git reads is ours. HOME is the repository, so that a git too old for GIT_CONFIG_GLOBAL finds no
 * configuration of the user either.
 */
function environmentFor({ directory }: Git, { workTree, index, objects }: GitOptions): Record<string, string> {
  return {
    PATH: "/usr/bin:/bin",
    HOME: directory,
    XDG_CONFIG_HOME: directory,
    LC_ALL: "C",
    GIT_DIR: directory,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_PAGER: "cat",
    ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
    ...(objects === undefined ? {} : { GIT_OBJECT_DIRECTORY: objects }),
  };
}

/** Splits output of `-z`. File names are bytes: in these texts each character is one byte. */
export function splitNul(output: Buffer): string[] {
  const text = output.toString("latin1");
  return text === "" ? [] : text.replace(/\0$/, "").split("\0");
}

export const joinNul = (paths: readonly string[]): Buffer =>
  Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
