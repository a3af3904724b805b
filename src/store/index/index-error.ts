import { SQLiteError } from "bun:sqlite";
import { messageOf } from "../../core/message-of.ts";

/**
 * Why the index cannot be used. `corrupt`: it must be built anew. `newer`: another version of this program wrote it.
 * `unwritable`: the disk is full, fails or refuses. `busy`: another process holds it for too long.
 */
export type IndexProblem = "corrupt" | "newer" | "unwritable" | "busy";

export class IndexError extends Error {
  readonly problem: IndexProblem;

  constructor(problem: IndexProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/** Runs the body; an error of SQLite becomes an IndexError. */
export function guarded<T>(body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error;
    throw new IndexError(problemOf(error.code ?? ""), messageOf(error));
  }
}

const problems: readonly (readonly [codes: RegExp, problem: IndexProblem])[] = [
  [/^SQLITE_(BUSY|LOCKED|PROTOCOL)/, "busy"],
  [/^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|PERM|AUTH|NOMEM)/, "unwritable"],
];

/** Everything else means that the file is not what we wrote: no database, a damaged page, a missing table. */
const problemOf = (code: string): IndexProblem => problems.find(([codes]) => codes.test(code))?.[1] ?? "corrupt";
