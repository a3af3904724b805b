import { cpSync, linkSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CheckpointFiles } from "../support/checkpoint-files.ts";
import { executable } from "../support/executable.ts";
import { type CommandResult, HookWorld } from "../support/hook-world.ts";

export interface RunOptions {
  readonly stdin?: string;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** A command that runs the one behind it. */
  readonly through?: readonly string[];
}

/**
 * A home that can be put back to the same beginning again and again, on the same paths: states and payloads name them. The
 * executable lies outside of it, in a directory of its own, so that the home is small, and can be a disk of its own.
 */
export class FaultWorld extends HookWorld {
  readonly root: string;
  readonly bin: string;
  readonly program: string;
  /** Where Claude works. */
  readonly directory: string;
  /** Outside of the home, for what a story has to remember of one run. */
  readonly notes: string;
  readonly checkpoints: CheckpointFiles;
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

  /** Here each of the runs to come will begin. */
  keep(): void {
    rmSync(this.#kept, { recursive: true, force: true });
    copy(this.home, this.#kept);
  }

  startOver(): void {
    // What is in it, but not the directory itself: a disk may be mounted there.
    for (const name of readdirSync(this.home)) rmSync(join(this.home, name), { recursive: true });
    this.fill();
  }

  /** Into an empty home. */
  fill(): void {
    for (const name of readdirSync(this.bin)) if (name !== "ai-runtime") rmSync(join(this.bin, name));
    rmSync(this.notes, { recursive: true });
    mkdirSync(this.notes);
    copy(this.#kept, this.home);
  }

  async runtime(
    words: readonly string[],
    { stdin = "", env = {}, cwd = this.directory, through = [] }: RunOptions = {},
  ): Promise<CommandResult> {
    const child = Bun.spawn([...through, this.program, ...words], {
      env: { ...this.env, ...env },
      cwd,
      stdin: new TextEncoder().encode(stdin),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { exitCode, stdout, stderr };
  }

  override [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}
