import { configuredChannels, isTerse, type SpooledChannel, spooledChannels } from "../../core/notify/channels.ts";
import { decideDelivery, retryPause } from "../../core/notify/delivery.ts";
import { composeMessage, type Message, type Notification } from "../../core/notify/notification.ts";
import type { Settings } from "../../core/settings.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import { waitUntil } from "../../io/wait-until.ts";
import { tryLock } from "../../store/lock.ts";
import { NotifySpool } from "../../store/notify/notify-spool.ts";
import { runRoot } from "../../store/runs/run-paths.ts";
import type { Environment } from "../environment.ts";
import { logProblem } from "../program-log.ts";
import { loadSettings } from "../settings.ts";
import { messageOf } from "../../core/message-of.ts";
import { clockOf, minuteOf } from "./clock.ts";
import { send, type Sent } from "./send.ts";

export const spoolOf = ({ variables, home }: Environment): NotifySpool => new NotifySpool(runRoot(variables, home));

/** Delivers everything that waits. The channels do not wait for each other. */
export async function deliverAll(environment: Environment): Promise<void> {
  await Promise.all(
    spooledChannels.map((channel) =>
      deliver(environment, channel).catch((error: unknown) => {
        logProblem(environment, `notifications to ${channel}: ${messageOf(error)}`);
      }),
    ),
  );
}

async function deliver(environment: Environment, channel: SpooledChannel): Promise<void> {
  const spool = spoolOf(environment);
  while (spool.list(channel).length > 0) {
    makeDirectory(spool.root);
    const lock = tryLock(spool.lock(channel));
    // The holder looks for new events after it has released the lock, and events are added before this look.
    if (!lock) return;
    try {
      await drain(environment, spool, channel);
    } finally {
      lock.release();
    }
  }
}

async function drain(environment: Environment, spool: NotifySpool, channel: SpooledChannel): Promise<void> {
  for (;;) {
    // Read each time: the user may have changed the settings during a wait.
    const { settings } = loadSettings(environment);
    const now = environment.now();
    const waiting = spool.list(channel);
    if (!configuredChannels(settings).includes(channel))
      spool.remove(
        channel,
        waiting.map(({ name }) => name),
      );
    const { lastSent } = spool.readState(channel);
    const decision = decideDelivery(waiting, {
      now,
      minute: minuteOf(now),
      quietHours: quietHoursOf(settings),
      lastSent,
      intervalMs: settings["notify.intervalSeconds"] * 1_000,
    });
    switch (decision.kind) {
      case "idle":
        return;
      case "wait":
        await waitUntil(decision.until);
        break;
      case "drop":
        spool.remove(channel, decision.names);
        break;
      case "send": {
        const message = messageFor(channel, decision.items, settings);
        const sent = await sendWithRetries(environment, channel, message, settings);
        const failure = sent.ok ? null : { time: now, message: sent.message, lost: decision.items.length };
        // Recorded before the removal: after a kill in between, the message comes twice and is not lost.
        spool.writeState(channel, { lastSent: environment.now(), failure }, now);
        spool.remove(channel, decision.names);
      }
    }
  }
}

/** Notifications have quiet hours of their own, or those of everything automatic. */
export const quietHoursOf = (settings: Settings): Settings["quietHours"] =>
  settings["notify.quietHours"] ?? settings.quietHours;

export const messageFor = (channel: SpooledChannel, items: readonly Notification[], settings: Settings): Message =>
  composeMessage(items, { isTerse: isTerse(channel, settings), clock: clockOf });

async function sendWithRetries(
  { variables }: Environment,
  channel: SpooledChannel,
  message: Message,
  settings: Settings,
): Promise<Sent> {
  for (let tries = 1; ; tries++) {
    const sent = await send(channel, message, { settings, variables });
    const pause = sent.ok ? undefined : retryPause(tries, sent.isFinal, settings["notify.timeoutSeconds"] * 1_000);
    if (pause === undefined) return sent;
    await Bun.sleep(pause);
  }
}
