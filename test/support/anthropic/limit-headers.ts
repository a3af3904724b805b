// The `anthropic-ratelimit-unified-*` headers, which report a subscriber's usage and limits to the client.

type LimitWindow = "five_hour" | "seven_day";

/** Seconds since the epoch, or seconds after the reply is sent. */
type ResetTime = { readonly resetsAt: number } | { readonly resetsInSeconds: number };

interface Overage {
  readonly status: "allowed" | "allowed_warning" | "rejected";
  readonly resetsAt?: number;
  readonly disabledReason?: string;
}

export type LimitReached = ResetTime & { readonly window?: LimitWindow; readonly overage?: Overage };

/** Usage reported with a successful reply; `surpassedThreshold` makes it a warning. */
export type LimitUsage = ResetTime & {
  readonly window?: LimitWindow;
  readonly utilization: number;
  readonly surpassedThreshold?: number;
  readonly overage?: Overage;
};

type HeaderFields = Record<string, string>;

export function reachedHeaders(limit: LimitReached): HeaderFields {
  const window = limit.window ?? "five_hour";
  const reset = resetEpoch(limit);
  return {
    ...unified({ status: "rejected", reset: String(reset), "representative-claim": window }),
    ...windowHeaders(window, { status: "rejected", reset: String(reset), utilization: "1" }),
    ...overageHeaders(limit.overage),
    "retry-after": String(Math.max(0, reset - nowEpoch())),
  };
}

export function usageHeaders(limit: LimitUsage): HeaderFields {
  const window = limit.window ?? "five_hour";
  const reset = String(resetEpoch(limit));
  const status = limit.surpassedThreshold === undefined ? "allowed" : "allowed_warning";
  const threshold: HeaderFields =
    limit.surpassedThreshold === undefined ? {} : { "surpassed-threshold": String(limit.surpassedThreshold) };
  return {
    ...unified({ status, reset, "representative-claim": window }),
    ...windowHeaders(window, { status, reset, utilization: String(limit.utilization), ...threshold }),
    ...overageHeaders(limit.overage),
  };
}

function windowHeaders(window: LimitWindow, fields: HeaderFields): HeaderFields {
  const claim = window === "five_hour" ? "5h" : "7d";
  return unified(Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${claim}-${name}`, value])));
}

function overageHeaders(overage: Overage | undefined): HeaderFields {
  if (overage === undefined) return {};
  return unified({
    "overage-status": overage.status,
    ...(overage.resetsAt === undefined ? {} : { "overage-reset": String(overage.resetsAt) }),
    ...(overage.disabledReason === undefined ? {} : { "overage-disabled-reason": overage.disabledReason }),
  });
}

function unified(fields: HeaderFields): HeaderFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`anthropic-ratelimit-unified-${name}`, value]),
  );
}

function resetEpoch(time: ResetTime): number {
  return "resetsAt" in time ? time.resetsAt : nowEpoch() + time.resetsInSeconds;
}

function nowEpoch(): number {
  return Math.floor(Date.now() / 1000);
}
