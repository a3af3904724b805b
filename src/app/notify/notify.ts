import { channelsFor, isTerse, type SpooledChannel, spooledChannels } from "../../core/notify/channels.ts";
import { isQuiet } from "../../core/host/quiet-hours.ts";
import { composeMessage, type Notification } from "../../core/notify/notification.ts";
import { terminalNotice } from "../../core/notify/terminal-notice.ts";
import type { Settings } from "../../core/settings.ts";
import { startDetached } from "../../io/process/start-detached.ts";
import { bestEffort } from "../best-effort.ts";
import type { Environment } from "../environment.ts";
import { ownExecutable } from "../own-executable.ts";
import { logProblem } from "../program-log.ts";
import { loadSettings } from "../settings.ts";
import { clockOf, minuteOf } from "./clock.ts";
import { quietHoursOf, spoolOf } from "./deliver.ts";

/** Everything but the time, which is now. */
export type News = Omit<Notification, "time">;

/**
 * Tells the user of an event through the channels that the user has configured. Returns at once: a process of its own delivers.
 * Never throws. `toTerminal`: writes to the terminals that show the program.
 */
export function notify(environment: Environment, news: News, toTerminal?: (bytes: string) => void): void {
  bestEffort(environment, () => tell(environment, { ...news, time: environment.now() }, toTerminal), undefined);
}

function tell(environment: Environment, notification: Notification, toTerminal?: (bytes: string) => void): void {
  const { settings } = loadSettings(environment);
  const channels = channelsFor(notification.event, settings);
  if (channels.includes("terminal")) toTerminal?.(noticeOf(notification, settings));
  const spooled = channels.filter((channel): channel is SpooledChannel => channel !== "terminal");
  if (spooled.length === 0) return;
  const spool = spoolOf(environment);
  for (const channel of spooled) {
    if (spool.add(channel, notification, crypto.randomUUID().slice(0, 8))) continue;
    logProblem(environment, `notifications to ${channel}: too many wait already, so one was dropped`);
  }
  startDelivery(environment);
}

/** Starts a process that delivers what waits, and does not wait for it. */
function startDelivery(environment: Environment): void {
  startDetached([ownExecutable(), "deliver"], environment.variables, environment.home);
}

/** Starts a delivery when events were left behind, as by a shutdown in quiet hours. */
export function deliverLeftovers(environment: Environment): void {
  const isLeft = (): boolean => spooledChannels.some((channel) => spoolOf(environment).list(channel).length > 0);
  if (bestEffort(environment, isLeft, false)) bestEffort(environment, () => startDelivery(environment), undefined);
}

/** Empty in quiet hours: a terminal shows a notice at once or not at all. */
function noticeOf(notification: Notification, settings: Settings): string {
  const quietHours = quietHoursOf(settings);
  if (quietHours && isQuiet(quietHours, minuteOf(notification.time))) return "";
  const how = { isTerse: isTerse("terminal", settings), clock: clockOf };
  const { title, text } = composeMessage([notification], how);
  return terminalNotice(settings["notify.terminalKind"], title, text);
}
