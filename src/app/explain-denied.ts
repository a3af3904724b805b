import { shellCommand } from "../claude/hooks/hook-command.ts";
import { Failure } from "../core/failure.ts";
import { type DeniedPath, deniedPathOf } from "../io/files/denied-path.ts";

/** What is denied, and the command that corrects it. */
export interface Denial {
  readonly message: string;
  readonly fix: string;
}

/** Typically one command was run as root with the user's HOME, and its files belong to root now. Undefined for other errors. */
export function explainDenied(error: unknown): Denial | undefined {
  const denied = deniedPathOf(error);
  return denied && describeDenied(denied);
}

export function describeDenied({ path, owner, isOwn }: DeniedPath): Denial {
  if (isOwn)
    return {
      message: `${path} is yours, but its mode denies you access`,
      fix: shellCommand("chmod", ["-R", "u+rwX", path]),
    };
  const name = owner === 0 ? "root" : `user ${owner}`;
  return { message: `${path} belongs to ${name}, and you cannot use it`, fix: takeOwnership(path) };
}

export const takeOwnership = (path: string): string => `sudo chown -R "$(id -u):$(id -g)" ${shellCommand(path, [])}`;

/** The same as a failure for the user; any other error stays as it is. */
export function explainFailure(error: unknown): unknown {
  const denial = error instanceof Failure ? undefined : explainDenied(error);
  return denial
    ? new Failure("failed", denial.message, { hint: `Take it back with: ${denial.fix}`, cause: error })
    : error;
}

/** Reads a part of a report. A denied part is reported once, and the rest is still read. */
export class ReportReader {
  readonly #problems = new Map<string, Denial>();

  read<T>(work: () => T, otherwise: T): T {
    try {
      return work();
    } catch (error) {
      this.note(error);
      return otherwise;
    }
  }

  /** Throws every error that is not a lack of permission. */
  note(error: unknown): Denial {
    const denial = explainDenied(error);
    if (!denial) throw error;
    this.#problems.set(denial.message, denial);
    return denial;
  }

  get problems(): string[] {
    return [...this.#problems.values()].map(describeDenial);
  }
}

export const describeDenial = ({ message, fix }: Denial): string => `${message}; take it back with: ${fix}`;
