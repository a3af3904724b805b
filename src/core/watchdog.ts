/** What can be seen of a claude from outside. */
export interface SignsOfLife {
  /** Milliseconds since its process was first seen to be gone; null while it is there. */
  readonly goneFor: number | null;
  /** It is at work: a prompt or a tool's result waits for its answer. */
  readonly atWork: boolean;
  /** It has asked the user something, or waits for a limit: however long that takes, it is not stuck. */
  readonly waits: boolean;
  /** Milliseconds since its transcript or its screen last changed. */
  readonly silence: number;
}

export interface WatchdogRules {
  /** Milliseconds of silence at work that are too many. */
  readonly patience: number;
  readonly mostPerHour: number;
}

export type WatchdogVerdict =
  | { readonly kind: "leave" }
  /** It is stuck, but was restarted so often that another time would not help. */
  | { readonly kind: "give-up"; readonly why: string }
  | { readonly kind: "restart"; readonly why: string };

const hour = 3_600_000;

/** `restarts`: when the watchdog stepped in before, in milliseconds since 1970. */
export function judge(
  signs: SignsOfLife,
  restarts: readonly number[],
  rules: WatchdogRules,
  now: number,
): WatchdogVerdict {
  const why = stuck(signs, rules);
  if (why === undefined) return { kind: "leave" };
  // A clock that was set back must not make the past count for ever.
  const recent = restarts.filter((time) => time <= now && now - time < hour).length;
  if (recent < rules.mostPerHour) return { kind: "restart", why };
  return { kind: "give-up", why: `${why}, but it was restarted ${recent} times within the hour` };
}

/** Its end takes a moment to be told. Later than that, nobody will tell. */
const longestEnd = 10_000;

function stuck({ goneFor, atWork, waits, silence }: SignsOfLife, { patience }: WatchdogRules): string | undefined {
  if (goneFor !== null) return goneFor < longestEnd ? undefined : "claude is gone, and its end was not seen";
  if (waits || !atWork || silence < patience) return undefined;
  return `claude is at work, but neither its transcript nor its screen has changed for ${Math.round(silence / 1000)} s`;
}
