import { cpSync, linkSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CheckpointFiles } from "../support/worlds/checkpoint-files.ts";
import { executable } from "../support/executable.ts";
import { type CommandResult, runProgram } from "../support/run-program.ts";
import { HookWorld } from "../support/worlds/hook-world.ts";

export interface RunOptions {
  readonly stdin?: string;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** Prefix command that executes the actual command. */
  readonly through?: readonly string[];
}

/**
 * A home that can be reset to the same initial state at the same paths, because states and payloads contain those paths. The
 * executable is outside the home, so that the home is small and can be a separate disk.
 */
export class FaultWorld extends HookWorld {
  readonly root: string;
  readonly bin: string;
  /** `ai-runtime`, or a program that does what `ai-runtime` only does in a terminal. */
  program: string;
  /** Claude's working directory. */
  readonly directory: string;
  /** Outside the home: what a story records about one run. */
  readonly notes: string;
  readonly checkpoints: CheckpointFiles;
  /** The disk reported a write which it did not make: no program can notice that at once. */
  diskLied = false;
  /** Set by a story whose records name inodes: a copied home has others. */
  onFilled: () => void = () => {};
  readonly #kept: string;

  constructor() {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "fault-")));
    super(join(root, "home"));
    this.root = root;
    this.bin = join(root, "bin");
    this.program = join(this.bin, "ai-runtime");
    this.directory = join(this.home, "work");
    this.checkpoints = new CheckpointFiles(join(this.home, ".claude"));
    this.notes = join(root, "notes");
    this.#kept = join(root, "kept");
    mkdirSync(this.notes);
    mkdirSync(this.directory);
    mkdirSync(this.bin);
    try {
      linkSync(executable, this.program);
    } catch {
      copyFileSync(executable, this.program);
    }
  }

  /** Saves the current home as the initial state of every later run. */
  keep(): void {
    rmSync(this.#kept, { recursive: true, force: true });
    copy(this.home, this.#kept);
  }

  startOver(): void {
    // Keeps the directory itself, because a disk may be mounted on it.
    for (const name of readdirSync(this.home)) rmSync(join(this.home, name), { recursive: true });
    this.fill();
  }

  /** Copies the saved state into an empty home. */
  fill(): void {
    for (const name of readdirSync(this.bin)) if (name !== "ai-runtime") rmSync(join(this.bin, name));
    rmSync(this.notes, { recursive: true });
    mkdirSync(this.notes);
    copy(this.#kept, this.home);
    this.onFilled();
  }

  runtime(
    words: readonly string[],
    { stdin = "", env = {}, cwd = this.directory, through = [] }: RunOptions = {},
  ): Promise<CommandResult> {
    return runProgram([...through, this.program, ...words], { env: { ...this.env, ...env }, cwd, stdin });
  }

  override [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}
