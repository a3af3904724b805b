import { has, isFlag, isText, isTime, orNull } from "../check-record.ts";

/** A run that waits for its moment. Times are milliseconds since 1970. */
export interface QueueEntry {
  readonly id: string;
  /** Higher ones start first. */
  readonly priority: number;
  /** It does not start before this time. */
  readonly at: number | null;
  /** It starts only while the account has quota. */
  readonly whenAvailable: boolean;
  /** It starts when this run has ended; `success`: only when that run is done. */
  readonly after: { readonly run: string; readonly success: boolean } | null;
  /** When it has not started by then, it never does. */
  readonly deadline: number | null;
  /** The account whose variables it was queued with: it starts with no other. */
  readonly account: string;
  /** At most so many runs of the queue and the account at the same time; null: the setting. */
  readonly maxParallel: number | null;
}

export const isQueueEntry = (value: unknown): value is QueueEntry =>
  has({
    id: isText,
    priority: isTime,
    at: orNull(isTime),
    whenAvailable: isFlag,
    after: orNull(has({ run: isText, success: isFlag })),
    deadline: orNull(isTime),
    account: isText,
    maxParallel: orNull(isTime),
  })(value);

/** In the order of their turns, apart from priorities. */
export interface Queue {
  readonly entries: readonly QueueEntry[];
  readonly isPaused: boolean;
}

export type QueueChange =
  | { readonly kind: "added"; readonly entry: QueueEntry }
  /** The run has left the queue: it ended, was canceled, or was never registered. */
  | { readonly kind: "left"; readonly id: string }
  /** `to`: its new place among all, from 0. */
  | { readonly kind: "moved"; readonly id: string; readonly to: number }
  | { readonly kind: "prioritized"; readonly id: string; readonly priority: number }
  | { readonly kind: "paused"; readonly isPaused: boolean };

export const emptyQueue: Queue = { entries: [], isPaused: false };

/** A change that no longer applies, such as a move of a run that has left, has no effect. */
export function changeQueue(queue: Queue, change: QueueChange): Queue {
  const { entries } = queue;
  switch (change.kind) {
    case "added":
      return entries.some(({ id }) => id === change.entry.id)
        ? queue
        : { ...queue, entries: [...entries, change.entry] };
    case "left":
      return { ...queue, entries: entries.filter(({ id }) => id !== change.id) };
    case "moved": {
      const moved = entries.find(({ id }) => id === change.id);
      const others = entries.filter(({ id }) => id !== change.id);
      return moved ? { ...queue, entries: others.toSpliced(change.to, 0, moved) } : queue;
    }
    case "prioritized": {
      const { id, priority } = change;
      return { ...queue, entries: entries.map((entry) => (entry.id === id ? { ...entry, priority } : entry)) };
    }
    case "paused":
      return { ...queue, isPaused: change.isPaused };
  }
}

/** The order in which runs start: by priority, then by their place. */
export const inOrder = (queue: Queue): QueueEntry[] => queue.entries.toSorted((a, b) => b.priority - a.priority);

/** The changes that put a run at this place, from 0, among those that wait. It gets the priority of the run whose place it takes. */
export function placeAt(queue: Queue, id: string, to: number, waiting: ReadonlySet<string>): QueueChange[] {
  const moved = queue.entries.find((entry) => entry.id === id);
  if (!moved) return [];
  const others = inOrder(queue).filter((entry) => entry.id !== id && waiting.has(entry.id));
  const next = others[to];
  const { priority } = next ?? others.at(-1) ?? moved;
  const rest = queue.entries.filter((entry) => entry.id !== id);
  const place = next ? rest.indexOf(next) : rest.length;
  const prioritized = { kind: "prioritized", id, priority } as const;
  return [...(priority === moved.priority ? [] : [prioritized]), { kind: "moved", id, to: place }];
}
