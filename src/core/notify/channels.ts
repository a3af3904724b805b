import type { Settings } from "../settings.ts";
import type { NotifyEvent } from "./notification.ts";

/** Channels that a background process delivers to, in this order. */
export const spooledChannels = ["desktop", "ntfy", "webhook", "command"] as const;
export type SpooledChannel = (typeof spooledChannels)[number];
/** The terminal is written by the process that has one. */
export type Channel = "terminal" | SpooledChannel;

export const channels: readonly Channel[] = ["terminal", ...spooledChannels];

/** The channels that the user has configured. */
export const configuredChannels = (settings: Settings): Channel[] =>
  channels.filter((channel) => isConfigured(channel, settings) && settings[`notify.${channel}`].length > 0);

/** The channels that receive an event. */
export const channelsFor = (event: NotifyEvent, settings: Settings): Channel[] =>
  configuredChannels(settings).filter((channel) => {
    const events: readonly string[] = settings[`notify.${channel}`];
    return events.includes("all") || events.includes(event);
  });

function isConfigured(channel: Channel, settings: Settings): boolean {
  switch (channel) {
    case "terminal":
    case "desktop":
      return true;
    case "ntfy":
      return settings["notify.ntfyUrl"] !== undefined;
    case "webhook":
      return settings["notify.webhookUrl"] !== undefined;
    case "command":
      return settings["notify.commandWords"].length > 0;
  }
}

/** Whether a channel gets no titles and no paths. */
export function isTerse(channel: Channel, { "notify.terse": terse }: Settings): boolean {
  if (terse !== "network") return terse === "always";
  return channel === "ntfy" || channel === "webhook";
}
