import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { executable } from "../executable.ts";
import { type CommandResult, runProgram } from "../run-program.ts";
import { until } from "../until.ts";
import { type FileState, stateOf } from "./file-state.ts";
import { HookWorld } from "./hook-world.ts";

interface Record {
  count: number;
  marks: { n: number; before: string | null; late: boolean; mark: number | null; tree: string; left: unknown[] }[];
  restores: { state: string }[];
}

/** A home with a project whose files are marked by hooks, as Claude would call them. */
export class FileWorld extends HookWorld {
  readonly sessionId = "0f1e2d3c-1111-4222-8333-444455556666";
  work: string;

  constructor(home?: string) {
    super(home);
    this.work = join(this.home, "work");
    mkdirSync(this.work, { recursive: true });
    // Also on a busy machine, every mark is taken while the hook waits.
    this.env["SESSION_SNAPSHOT_FILES_WAIT_SECONDS"] = "60";
  }

  write(path: string, content: string | Uint8Array, mode = 0o644): void {
    const full = join(this.work, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content, { mode });
  }

  /** Writes these files and marks them. */
  markWith(files: { readonly [path: string]: string }): Promise<number> {
    for (const [path, content] of Object.entries(files)) this.write(path, content);
    return this.mark();
  }

  text(path: string): string {
    return readFileSync(join(this.work, path), "utf8");
  }

  /** Runs a program in the project with a plain environment. */
  shell(command: string): string {
    const env = { ...this.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
    const { exitCode, stdout, stderr } = Bun.spawnSync(["sh", "-c", command], { cwd: this.work, env });
    if (exitCode !== 0) throw new Error(`${command}: ${stderr.toString()}`);
    return stdout.toString();
  }

  git(words: string): string {
    return this.shell(`git -c user.name=a -c user.email=a@b -c commit.gpgSign=false ${words}`);
  }

  /** The end of a turn. Waits for the mark even on a busy machine, where the hook leaves it to a worker. */
  async mark(event = "Stop"): Promise<number> {
    const before = this.record()?.count ?? 0;
    await this.hookHere(event);
    const taken = (): number | false => {
      const count = this.record()?.count ?? 0;
      return count > before && count;
    };
    return until(taken, () => `a file mark: ${this.logText()}`);
  }

  hookHere(event: string, more: object = {}): Promise<void> {
    return this.hook(this.sessionId, event, { cwd: this.work, ...more });
  }

  beforeCommand(command: string): Promise<void> {
    return this.hookHere("PreToolUse", { tool_name: "Bash", tool_input: { command } });
  }

  command(words: string[]): Promise<CommandResult> {
    return runProgram([executable, "session-snapshot", ...words], { env: this.env, cwd: this.work });
  }

  /** Fails with the command's own words. */
  async succeed(words: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.command(words);
    if (exitCode !== 0) throw new Error(`${words.join(" ")} ended with ${exitCode}: ${stderr}`);
    return stdout;
  }

  logText(): string {
    try {
      return this.log();
    } catch {
      return "the log is empty";
    }
  }

  treeDirectory(): string {
    const trees = join(this.files.root, "trees");
    const [name] = readdirSync(trees);
    return join(trees, name ?? "");
  }

  /** The paths in the tree of a mark, counted from 0. */
  markedPaths(index: number): string[] {
    const tree = this.record()?.marks[index]?.tree;
    return this.shell(`git --git-dir ${this.treeDirectory()} ls-tree -r --name-only ${tree}`).trim().split("\n");
  }

  recordPath(): string {
    try {
      return join(this.treeDirectory(), "marks.json");
    } catch {
      return join(this.files.root, "trees", "none");
    }
  }

  record(): Record | undefined {
    try {
      return JSON.parse(readFileSync(this.recordPath(), "utf8")) as Record;
    } catch {
      return undefined;
    }
  }

  /** Every file and link below the project, with kind, permission bits and content; git's own data are left out. */
  state(): FileState {
    return stateOf(realpathSync(this.work));
  }
}
