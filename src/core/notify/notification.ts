/** What the user can be told about. */
export const notifyEvents = ["limit", "resumed", "done", "failed", "needs-you", "gave-up", "machine-lost"] as const;
export type NotifyEvent = (typeof notifyEvents)[number];

/** Where Claude runs: in an `ai-runtime run`, in a host, or in a service; or a worker of the fleet. */
export type NotifySource = "run" | "session" | "service" | "worker";

/** What a session needs from the user. */
export type Need = "permission" | "question" | "context-full" | "interrupted";

/** One thing that happened, with everything that a channel may say about it. */
export interface Notification {
  readonly event: NotifyEvent;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly source: NotifySource;
  /** Of the run, the host or the service. */
  readonly id: string;
  /** The task, or the title of the conversation; null when there is none yet. */
  readonly title: string | null;
  readonly directory: string;
  /** When the limit resets, in milliseconds since 1970; null when unknown or not about a limit. */
  readonly until: number | null;
  readonly need: Need | null;
  /** Why it failed or gave up, in ai-runtime's own terms; null otherwise. */
  readonly cause: string | null;
}

/** The message for one channel. */
export interface Message {
  readonly event: NotifyEvent;
  readonly title: string;
  readonly text: string;
  readonly items: readonly Notification[];
  /** Only ids, events and times: no titles and no paths. */
  readonly isTerse: boolean;
}

/** What needs the user most comes first. */
const urgency: readonly NotifyEvent[] = ["needs-you", "failed", "gave-up", "machine-lost", "limit", "done", "resumed"];

const maxLines = 8;

/** One message for everything that waits, in the order in which it happened. */
export function composeMessage(
  items: readonly Notification[],
  { isTerse, clock }: { readonly isTerse: boolean; readonly clock: (time: number) => string },
): Message {
  const lines = items.slice(-maxLines).map((item) => describe(item, isTerse, clock));
  const left = items.length - lines.length;
  const event = urgency.find((each) => items.some((item) => item.event === each)) ?? "done";
  const title = items.length === 1 ? headline(event) : `${items.length} events, ${headline(event).toLowerCase()}`;
  const text = [...(left > 0 ? [`${left} earlier`] : []), ...lines].join("\n");
  return { event, title: `ai-runtime: ${title}`, text, items: items.map((item) => reduce(item, isTerse)), isTerse };
}

const headlines: Record<NotifyEvent, string> = {
  limit: "Usage limit",
  resumed: "Resumed",
  done: "Done",
  failed: "Failed",
  "needs-you": "Claude needs you",
  "gave-up": "Gave up",
  "machine-lost": "Machine lost",
};

const headline = (event: NotifyEvent): string => headlines[event];

const needs: Record<Need, string> = {
  permission: "asks for a permission",
  question: "asks a question",
  "context-full": "cannot continue: its context is full",
  interrupted: "was interrupted by a reboot and waits for you",
};

function describe(item: Notification, isTerse: boolean, clock: (time: number) => string): string {
  const what = `${item.source} ${item.id} ${happened(item, clock)}`;
  if (isTerse) return what;
  const name = item.title === null || item.title === "" ? "" : ` · ${item.title}`;
  return `${what}${name}${item.directory === "" ? "" : ` · ${item.directory}`}`;
}

function happened({ event, until, need, cause }: Notification, clock: (time: number) => string): string {
  const why = cause === null ? "" : ` (${cause})`;
  switch (event) {
    case "limit":
      return until === null ? "waits for a usage limit" : `waits for a usage limit until ${clock(until)}`;
    case "resumed":
      return "continues";
    case "done":
      return "is done";
    case "failed":
      return `failed${why}`;
    case "gave-up":
      return `gave up${why}`;
    case "machine-lost":
      return "is lost: it was not heard of, and other workers take over its runs";
    case "needs-you":
      return needs[need ?? "question"];
  }
}

const reduce = (item: Notification, isTerse: boolean): Notification =>
  isTerse ? { ...item, title: null, directory: "" } : item;

/** The body of the webhook and the stdin of the command. Fields are only added; see docs/NOTIFICATIONS.md. */
export function payloadOf({ event, title, text, items, isTerse }: Message): string {
  const events = items.map((item) => ({
    event: item.event,
    time: new Date(item.time).toISOString(),
    source: item.source,
    id: item.id,
    until: item.until === null ? null : new Date(item.until).toISOString(),
    need: item.need,
    cause: item.cause,
    ...(isTerse ? {} : { title: item.title, directory: item.directory }),
  }));
  return JSON.stringify({ version: 1, event, title, text, events });
}
