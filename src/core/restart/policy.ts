import { backoff } from "./backoff.ts";
import type { SpecialLimit } from "./final-error.ts";
import { decideLimitWait } from "./limit-wait.ts";

/** The ends of an attempt that a restart can overcome. */
export type RestartCause =
  /** Milliseconds since 1970; null when unknown. */
  | { readonly kind: "limit"; readonly resetsAt: number | null; readonly of?: SpecialLimit }
  | { readonly kind: "overload" }
  | { readonly kind: "empty" | "server" | "crash" | "unfinished" };

/** What happened up to and including this end. */
export interface RestartCounts {
  /** Attempts in a row without an answer and with this kind of end, this one included; 0 when it brought an answer. */
  readonly failures: number;
  /** Earlier waits in a row for a limit, without an answer in between. */
  readonly limits: number;
  /** Earlier restores in a row. */
  readonly restores: number;
  /** Earlier restarts of any kind. */
  readonly restarts: number;
}

export interface RestartRules {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** At least 0 and below 1: lengthens a backoff by up to a fifth, so that parallel runs do not retry in step. */
  readonly random: number;
  /** Until when another run of the account reported a limit; null when none did. */
  readonly knownLimit: number | null;
  /** Crashes and overloads in a row without an answer. */
  readonly maxAttempts: number;
  /** Failures of the API or the network in a row without an answer. */
  readonly maxServerFailures: number;
  /** Milliseconds since 1970: no retry after a failure of the API comes later than this; null has no end. */
  readonly lastServerRetry: number | null;
  readonly maxRestarts: number;
  /** Milliseconds before the first restart after a crash. */
  readonly firstDelay: number;
  /** Milliseconds to wait at a limit whose reset is unknown. */
  readonly unknownLimit: number;
}

export type RestartAction =
  | { readonly kind: "give-up" }
  | { readonly kind: "restore" }
  /** Only the user can help: by another model, a higher limit, or a resume at a time of their choice. */
  | { readonly kind: "hold" }
  /** Milliseconds. */
  | { readonly kind: "resume"; readonly delay: number }
  /** `until` in milliseconds since 1970; `known` is false when it is a guess. */
  | { readonly kind: "wait"; readonly until: number; readonly known: boolean };

const maxRestores = 3;

/**
 * The restart policy of runs and of cclaude. What differs between them is in the counts and the rules. Limits and failures of
 * the API last as long as they last, so attempts are not counted against them.
 */
export function decideRestart(cause: RestartCause, counts: RestartCounts, rules: RestartRules): RestartAction {
  if (counts.restarts >= rules.maxRestarts) return { kind: "give-up" };
  switch (cause.kind) {
    case "overload": {
      const isTooOften = counts.failures >= rules.maxAttempts || counts.restores >= maxRestores;
      return { kind: isTooOften ? "give-up" : "restore" };
    }
    case "limit": {
      if (cause.resetsAt === null && cause.of !== undefined) return { kind: "hold" };
      const { resetsAt, of } = cause;
      const { until, known } = decideLimitWait({ ...rules, resetsAt, of, repeats: counts.limits });
      return { kind: "wait", until, known };
    }
    case "server": {
      const delay = delayOf(counts, rules);
      const isTooLate = rules.lastServerRetry !== null && rules.now + delay > rules.lastServerRetry;
      return isTooLate || counts.failures >= rules.maxServerFailures ? { kind: "give-up" } : { kind: "resume", delay };
    }
    case "empty":
    case "crash":
    case "unfinished":
      if (counts.failures >= rules.maxAttempts) return { kind: "give-up" };
      return { kind: "resume", delay: delayOf(counts, rules) };
  }
}

const delayOf = ({ failures }: RestartCounts, { firstDelay, random }: RestartRules): number =>
  backoff(Math.max(0, failures - 1), firstDelay, random);
