import { has, isText, isTime, orNull } from "../../core/check-record.ts";
import type { SpooledChannel } from "../../core/notify/channels.ts";
import type { Waiting } from "../../core/notify/delivery.ts";
import { notifyEvents, type Notification } from "../../core/notify/notification.ts";
import { createFile, makeDirectory, removeFile, replaceFile, sweepTemporaries } from "../../io/durable/durable.ts";
import { listDirectory, readText } from "../../io/files/read-file.ts";

/** A channel that hangs for long must not fill the disk. */
const maxWaiting = 200;
const hourMs = 3_600_000;

/** How the last deliveries of a channel went. Only the holder of the channel's lock writes it. */
export interface ChannelState {
  /** Milliseconds since 1970. */
  readonly lastSent: number | null;
  /** Null after a success. */
  readonly failure: { readonly time: number; readonly message: string; readonly lost: number } | null;
}

const isNotification = has({
  event: (value) => notifyEvents.some((event) => event === value),
  time: isTime,
  source: isText,
  id: isText,
  title: orNull(isText),
  directory: isText,
  until: orNull(isTime),
  need: orNull(isText),
  cause: orNull(isText),
});

const isState = has({
  lastSent: orNull(isTime),
  failure: orNull(has({ time: isTime, message: isText, lost: isTime })),
});

/** `notify/`: events that wait for their channels, one file each, and the state of each channel. */
export class NotifySpool {
  readonly root: string;

  constructor(stateRoot: string) {
    this.root = `${stateRoot}/notify`;
  }

  lock(channel: SpooledChannel): string {
    return `${this.root}/${channel}.lock`;
  }

  /** Returns false when the channel has too many events already. */
  add(channel: SpooledChannel, notification: Notification, random: string): boolean {
    makeDirectory(this.#waiting(channel));
    if (this.#names(channel).length >= maxWaiting) return false;
    // Names sort by time.
    const name = `${String(notification.time).padStart(14, "0")}-${random}.json`;
    createFile(`${this.#waiting(channel)}/${name}`, JSON.stringify(notification));
    return true;
  }

  /** Oldest first. Removes what cannot be read. */
  list(channel: SpooledChannel): Waiting[] {
    return this.#names(channel).flatMap((name) => {
      const notification = parse(readText(`${this.#waiting(channel)}/${name}`), isNotification);
      if (notification === undefined) this.remove(channel, [name]);
      return notification === undefined ? [] : [{ name, notification: notification as Notification }];
    });
  }

  remove(channel: SpooledChannel, names: readonly string[]): void {
    for (const name of names) removeFile(`${this.#waiting(channel)}/${name}`);
  }

  readState(channel: SpooledChannel): ChannelState {
    const state = parse(readText(this.#state(channel)), isState);
    return (state as ChannelState | undefined) ?? { lastSent: null, failure: null };
  }

  writeState(channel: SpooledChannel, state: ChannelState, now: number): void {
    makeDirectory(this.root);
    replaceFile(this.#state(channel), JSON.stringify(state));
    for (const directory of [this.root, this.#waiting(channel)]) sweepTemporaries(directory, hourMs, now);
  }

  #names(channel: SpooledChannel): string[] {
    return listDirectory(this.#waiting(channel))
      .filter((name) => /^\d{14}-\w+\.json$/.test(name))
      .sort();
  }

  #waiting(channel: SpooledChannel): string {
    return `${this.root}/${channel}`;
  }

  #state(channel: SpooledChannel): string {
    return `${this.root}/${channel}.json`;
  }
}

/** Undefined when the text is missing or has another form. */
function parse(text: string | undefined, check: (value: unknown) => boolean): unknown {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    return check(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
