import { changeQueue, emptyQueue, isQueueEntry, type Queue, type QueueChange } from "../../core/queue/queue.ts";
import { has, isFlag, isText, isTime } from "../../core/check-record.ts";
import { makeDirectory, replaceFile, sweepTemporaries } from "../../io/durable/durable.ts";
import { fileSize } from "../../io/files/read-file.ts";
import { withLockOrFail } from "../lock.ts";
import { Journal, type JournalEntry, journalText, readJournal } from "../runs/journal.ts";
import type { RunPaths } from "../runs/run-paths.ts";

/** A longer journal is rewritten with what is left of it. */
const maxJournalBytes = 256 * 1024;
const lockTimeoutMs = 10_000;
const dayMs = 86_400_000;

/** Reads the queue and adds changes, while the lock of the queue is held. */
export interface OpenQueue {
  readonly queue: Queue;
  change(change: QueueChange): void;
}

/** `queue/journal.jsonl`: every change of the queue, in order. */
export class QueueJournal {
  readonly #paths: RunPaths;

  constructor(paths: RunPaths) {
    this.#paths = paths;
  }

  /** Held by the one process that starts the runs of an account. */
  dispatcherLock(account: string): string {
    return `${this.#paths.queue}/${account}.lock`;
  }

  read(): Queue {
    return queueOf(readJournal(this.#path).entries);
  }

  /** Changes of the size show that the queue has changed. */
  get size(): number {
    return fileSize(this.#path) ?? 0;
  }

  makeDirectory(): void {
    makeDirectory(this.#paths.queue);
  }

  /** Runs the work while no other process changes the queue. */
  async open<Result>(now: () => number, work: (open: OpenQueue) => Result): Promise<Result> {
    this.makeDirectory();
    const body = (): Result => {
      this.#shorten(now());
      const journal = new Journal(this.#path);
      let queue = this.read();
      return work({
        get queue() {
          return queue;
        },
        change: (change) => {
          const { kind, ...fields } = change;
          journal.append(now(), kind, fields);
          queue = changeQueue(queue, change);
        },
      });
    };
    return withLockOrFail(`${this.#paths.queue}/queue.lock`, body, {
      waitMilliseconds: lockTimeoutMs,
      message: "another process is changing the queue",
    });
  }

  #shorten(now: number): void {
    if (this.size <= maxJournalBytes) return;
    const { entries, isPaused } = this.read();
    const changes: QueueChange[] = [
      { kind: "paused", isPaused },
      ...entries.map((entry) => ({ kind: "added", entry }) as const),
    ];
    replaceFile(this.#path, journalText(now, changes));
    sweepTemporaries(this.#paths.queue, dayMs, now);
  }

  get #path(): string {
    return `${this.#paths.queue}/journal.jsonl`;
  }
}

function queueOf(entries: readonly JournalEntry[]): Queue {
  return entries.filter(isChange).reduce<Queue>((queue, change) => changeQueue(queue, change), emptyQueue);
}

const checks: Record<QueueChange["kind"], (value: unknown) => boolean> = {
  added: has({ entry: isQueueEntry }),
  left: has({ id: isText }),
  moved: has({ id: isText, to: isTime }),
  prioritized: has({ id: isText, priority: isTime }),
  paused: has({ isPaused: isFlag }),
};

/** A later version may write other changes. */
function isChange(entry: JournalEntry): entry is JournalEntry & QueueChange {
  return Object.hasOwn(checks, entry.kind) && checks[entry.kind as QueueChange["kind"]](entry);
}
