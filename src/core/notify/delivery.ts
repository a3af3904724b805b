import { isQuiet, type QuietHours, quietUntil } from "../host/quiet-hours.ts";
import type { Notification } from "./notification.ts";

/** An event that waits for one channel. */
export interface Waiting {
  /** The name of its file. */
  readonly name: string;
  readonly notification: Notification;
}

export interface DeliveryFacts {
  readonly now: number;
  /** Minutes since midnight, local time. */
  readonly minute: number;
  readonly quietHours: QuietHours | undefined;
  /** When the channel last got a message, in milliseconds since 1970; null when it never did. */
  readonly lastSent: number | null;
  /** The shortest time between two messages. */
  readonly intervalMs: number;
}

export type Delivery =
  | { readonly kind: "idle" }
  | { readonly kind: "wait"; readonly until: number }
  /** `items`: what to say. `names`: the files that this settles, those of repeated and outdated events included. */
  | { readonly kind: "send"; readonly items: readonly Notification[]; readonly names: readonly string[] }
  | { readonly kind: "drop"; readonly names: readonly string[] };

/** Older events no longer interest the user. */
const maxAgeMs = 24 * 3_600_000;

/** When one channel gets its next message, and which events it says. Everything that waits is one message. */
export function decideDelivery(waiting: readonly Waiting[], facts: DeliveryFacts): Delivery {
  const { now, minute, quietHours, lastSent, intervalMs } = facts;
  if (waiting.length === 0) return { kind: "idle" };
  const outdated = waiting.filter(({ notification }) => now - notification.time > maxAgeMs);
  if (outdated.length > 0) return { kind: "drop", names: outdated.map(({ name }) => name) };
  if (quietHours && isQuiet(quietHours, minute)) return { kind: "wait", until: now + quietUntil(quietHours, minute) };
  // A clock that was set back must not hold messages for long.
  const next = lastSent === null || lastSent > now ? now : lastSent + intervalMs;
  if (next > now) return { kind: "wait", until: next };
  return { kind: "send", items: latestOfEach(waiting), names: waiting.map(({ name }) => name) };
}

/** The same event of the same run, session or service is said once, with its newest facts. */
function latestOfEach(waiting: readonly Waiting[]): Notification[] {
  const newest = new Map<string, Notification>();
  for (const { notification } of [...waiting].sort((a, b) => a.notification.time - b.notification.time)) {
    const key = `${notification.event}\0${notification.id}`;
    newest.delete(key);
    newest.set(key, notification);
  }
  return [...newest.values()];
}

/** Pauses before the second and the third try, as shares of the time for one try. */
const retryPauses = [0.2, 0.8];

/** Milliseconds before the next try; undefined when there is none. `isFinal`: a repetition cannot help. */
export function retryPause(tries: number, isFinal: boolean, timeoutMs: number): number | undefined {
  const share = isFinal ? undefined : retryPauses[tries - 1];
  return share === undefined ? undefined : share * timeoutMs;
}
