import type { Variables } from "../../core/variables.ts";
import { messageOf } from "../../core/message-of.ts";
import { GitError } from "./run-git.ts";

/** Git with the user's own configuration, because a clone needs the user's credentials. Hooks of a repository never run. */
export interface UserGit {
  readonly executable: string;
  readonly variables: Variables;
}

/** Of any other kind, an address can name a program. */
const protocols = "https:http:ssh:git:file";

const commandTimeoutMs = 600_000;

/** Runs one git command in a directory and returns what it printed; throws a GitError when it fails. */
export async function runUserGit(git: UserGit, directory: string, words: readonly string[]): Promise<Buffer> {
  const command = words.find((word) => /^[a-z]/.test(word)) ?? "";
  const { executable, variables } = git;
  let child;
  try {
    child = Bun.spawn([executable, "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", ...words], {
      cwd: directory,
      env: { ...withoutGitPlaces(variables), ...fixed },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: commandTimeoutMs,
      killSignal: "SIGKILL",
    });
  } catch (error) {
    throw new GitError(command, messageOf(error));
  }
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).arrayBuffer(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (exitCode === 0) return Buffer.from(output);
  const lines = errors.trim().split("\n");
  const reason = lines.find((line) => /^(fatal|error):/.test(line)) ?? lines.at(-1);
  throw new GitError(command, reason || `it ended with ${child.signalCode ?? exitCode}`);
}

const author = { NAME: "ai-runtime", EMAIL: "ai-runtime@localhost" };

const fixed = {
  LC_ALL: "C",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ALLOW_PROTOCOL: protocols,
  GIT_AUTHOR_NAME: author.NAME,
  GIT_AUTHOR_EMAIL: author.EMAIL,
  GIT_COMMITTER_NAME: author.NAME,
  GIT_COMMITTER_EMAIL: author.EMAIL,
  GIT_PAGER: "cat",
};

/** A repository around the worker itself must not be the one that is worked on. */
const withoutGitPlaces = (variables: Variables): Variables =>
  Object.fromEntries(
    Object.entries(variables).filter(
      ([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|COMMON_DIR|PREFIX)$/.test(name),
    ),
  );
