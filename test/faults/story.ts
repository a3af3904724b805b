import type { FaultWorld } from "./fault-world.ts";

export interface Command {
  /** Arguments of `ai-runtime`. */
  readonly words: readonly string[];
  readonly stdin?: string;
  readonly env?: Record<string, string>;
  /** Default: Claude's working directory. */
  readonly cwd?: string;
}

/** A command that writes to disk, described so that tests can interrupt it at any point. */
export interface Story {
  readonly title: string;
  /** Creates the initial state and returns the command. */
  prepare(world: FaultWorld): Promise<Command>;
  /** The state after the command, even an interrupted one. Throws when it is neither old nor new. */
  outcome(world: FaultWorld): "old" | "new" | Promise<"old" | "new">;
  /** Runs the next command, which must complete the interrupted one. Throws when anything is lost. */
  recover(world: FaultWorld): Promise<void>;
  /** The command must exit with 0 whatever happens, as a hook does, so 0 does not mean success. */
  readonly alwaysSucceeds?: boolean;
  /** What such a command must print in any case; absent means nothing. */
  readonly prints?: RegExp;
  /** Its hidden temporary files are in the project, where they are not swept. */
  readonly leavesTemporaries?: boolean;
  /** Helper processes and threads take turns, so a counted call may be another one in the next run. */
  readonly isUneven?: boolean;
  /** Exit code on success; default 0. */
  readonly exitCode?: number;
}
