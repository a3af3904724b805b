export { channels as channelNames } from "../../core/notify/channels.ts";
export { notifyEvents as eventNames } from "../../core/notify/notification.ts";
