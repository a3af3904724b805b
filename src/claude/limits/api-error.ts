import type { FinalError, SpecialLimit } from "../../core/restart/final-error.ts";
import {
  apiErrorPrefix,
  type ErrorKind,
  errorWordings,
  maximumTokens,
  specialLimits,
  tooManyTokens,
} from "./error-wordings.ts";
import { parseResetTime } from "./reset-time.ts";

/** What the client recorded about an error, in a line that it marks as one. */
export interface ErrorFacts {
  readonly error: string | undefined;
  readonly status: number | undefined;
  readonly details: string | undefined;
  /** Milliseconds since 1970; set by clients since 2.1.238. */
  readonly quotaResetsAt: number | undefined;
  /** Milliseconds since 1970: the reset in the stream's limit event. */
  readonly streamResetsAt?: number | undefined;
  readonly text: string;
}

/** Times are milliseconds since 1970. */
export interface Clock {
  readonly now: number;
  /** A reset after this time is not credible. */
  readonly latestReset: number;
  /** The same for a spend limit, which lasts longer. */
  readonly latestSpendReset: number;
  /** The time zone of reset times that name none, as clients before 2.1 write them. */
  readonly zone: string;
}

/** The first of these resets that is credible. */
export const chooseReset = (
  resets: readonly (number | undefined)[],
  { latestReset }: Pick<Clock, "latestReset">,
): number | undefined => resets.find((time) => time !== undefined && time <= latestReset);

type NamedError = Exclude<ErrorKind, "too-long">;
const errorNames: ReadonlyMap<string, NamedError> = new Map<string, NamedError>([
  ["billing_error", "billing"],
  ["authentication_failed", "authentication"],
  ["oauth_org_not_allowed", "authentication"],
  ["account_on_hold", "permission"],
  ["verification_required", "permission"],
  ["cloud_credential_error", "authentication"],
  ["rate_limit", "limit"],
  ["server_error", "server"],
  ["overloaded", "server"],
]);

/** What the client's name for an error means, in a transcript, a stream or a hook. */
export const readErrorName = (name: string): NamedError | undefined => errorNames.get(name);

/** In order of precedence: errors that waiting cannot fix come before those it can. */
const errorKinds: readonly ErrorKind[] = ["too-long", "billing", "permission", "authentication", "limit", "server"];

/** Reads the fields and the text, because older clients have no field for some errors. */
export function classifyError(facts: ErrorFacts, clock: Clock): FinalError {
  const kind = errorKinds.find((each) => isInFields(each, facts) || isInText(each, facts.text));
  switch (kind) {
    case undefined:
      return { kind: "other" };
    case "too-long":
      return { kind, maximum: maximumIn(facts.details ?? facts.text) };
    case "limit":
      return classifyLimit(facts, clock);
    default:
      return { kind };
  }
}

function classifyLimit(facts: ErrorFacts, clock: Clock): FinalError {
  const { text, quotaResetsAt, streamResetsAt } = facts;
  const of: SpecialLimit | undefined = hasWording("model-limit", text)
    ? "model"
    : hasWording("spend-limit", text)
      ? "spend"
      : undefined;
  const within = of === "spend" ? { ...clock, latestReset: clock.latestSpendReset } : clock;
  const resetsAt = chooseReset([quotaResetsAt, streamResetsAt, parseResetTime(text, within)], within);
  if (of !== undefined) return { kind: "limit", resetsAt, of };
  // An API key sent requests too fast. That is over in seconds or minutes, and the error states no reset.
  if (resetsAt === undefined && text.startsWith(apiErrorPrefix)) return { kind: "server" };
  return { kind: "limit", resetsAt };
}

function isInFields(kind: ErrorKind, { error, status, details, text }: ErrorFacts): boolean {
  if (kind === "too-long") return tooManyTokens.test(details ?? "");
  // The client names every 401 and 403 a failed authentication, also when a new login would not help.
  if (kind === "permission" && status === 403) return !isInText("authentication", text);
  if (error !== undefined && readErrorName(error) === kind) return true;
  return status !== undefined && kindOfStatus(status) === kind;
}

const isInText = (kind: ErrorKind, text: string): boolean =>
  hasWording(kind, text) || (kind === "limit" && specialLimits.some((special) => hasWording(special, text)));

const hasWording = (kind: keyof typeof errorWordings, text: string): boolean =>
  errorWordings[kind].some(([pattern]) => pattern.test(text));

function kindOfStatus(status: number): ErrorKind | undefined {
  if (status === 401) return "authentication";
  if (status === 429) return "limit";
  return status >= 500 || status === 408 ? "server" : undefined;
}

function maximumIn(text: string): number | undefined {
  const maximum = maximumTokens.exec(text)?.[1];
  return maximum === undefined ? undefined : Number(maximum);
}
