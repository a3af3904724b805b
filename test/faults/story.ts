import type { FaultWorld } from "./fault-world.ts";

export interface Command {
  /** Of the executable: `ai-runtime <words>`. */
  readonly words: readonly string[];
  readonly stdin?: string;
  readonly env?: Record<string, string>;
}

/** A command that changes something on disk, told so that it can be interrupted anywhere. */
export interface Story {
  readonly title: string;
  /** Makes the beginning; everything the other functions need to know is theirs to remember. */
  prepare(world: FaultWorld): Promise<Command>;
  /** What it is after the command, whatever became of that. Fails when it is neither of the two. */
  outcome(world: FaultWorld): "old" | "new" | Promise<"old" | "new">;
  /** The next command of the same kind, or the next start, brings it to its end. Fails when anything is lost. */
  heal(world: FaultWorld): Promise<void>;
  /** Where 0 says nothing about what was done: a hook must end so, whatever happens. */
  readonly alwaysSucceeds?: boolean;
  /** What such a one has to print in any case; nothing, if not told. */
  readonly prints?: RegExp;
  /** Its hidden temporary files lie in the project, where nobody sweeps. */
  readonly leavesTemporaries?: boolean;
  /** What it ends with when all goes well. */
  readonly exitCode?: number;
}
