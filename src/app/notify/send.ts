import type { SpooledChannel } from "../../core/notify/channels.ts";
import { type DesktopSystem, desktopCommand } from "../../core/notify/desktop-command.ts";
import { messageOf } from "../../core/message-of.ts";
import { type Message, type NotifyEvent, payloadOf } from "../../core/notify/notification.ts";
import type { Settings } from "../../core/settings.ts";
import type { Variables } from "../../core/variables.ts";
import { post } from "../../io/post.ts";
import { type BoundedEnd, runBounded } from "../../io/process/run-bounded.ts";
import { systemName } from "../../io/system.ts";

/** `isFinal`: a repetition cannot help. */
export type Sent = { readonly ok: true } | { readonly ok: false; readonly message: string; readonly isFinal: boolean };

interface Sending {
  readonly settings: Settings;
  readonly variables: Variables;
}

/** Delivers a message to one channel, once. Never throws, and takes bounded time. */
export function send(channel: SpooledChannel, message: Message, sending: Sending): Promise<Sent> {
  switch (channel) {
    case "desktop":
      return sendToDesktop(systemName, message, sending);
    case "ntfy":
      return sendToNtfy(message, sending);
    case "webhook":
      return sendToWebhook(message, sending);
    case "command":
      return startCommand(message, sending);
  }
}

const milliseconds = ({ settings }: Sending): number => settings["notify.timeoutSeconds"] * 1_000;

export async function sendToDesktop(system: DesktopSystem, { title, text }: Message, sending: Sending): Promise<Sent> {
  const { words, variables } = desktopCommand(system, title, text);
  const end = await runBounded(words, {
    variables: { ...sending.variables, ...variables },
    stdin: "",
    milliseconds: milliseconds(sending),
  });
  return sentBy(words[0], end);
}

/** Tags are emoji short codes of ntfy. */
const ntfyLooks: Record<NotifyEvent, { readonly tag: string; readonly priority: string }> = {
  limit: { tag: "hourglass", priority: "3" },
  resumed: { tag: "arrow_forward", priority: "2" },
  done: { tag: "white_check_mark", priority: "3" },
  failed: { tag: "x", priority: "4" },
  "needs-you": { tag: "raised_hand", priority: "4" },
  "gave-up": { tag: "warning", priority: "4" },
  "machine-lost": { tag: "warning", priority: "4" },
};

async function sendToNtfy({ event, title, text }: Message, sending: Sending): Promise<Sent> {
  const { "notify.ntfyUrl": url, "notify.ntfyToken": token } = sending.settings;
  if (!url) return { ok: false, message: "notify.ntfyUrl is not set", isFinal: true };
  const { tag, priority } = ntfyLooks[event];
  const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const headers = { Title: title, Tags: tag, Priority: priority, ...authorization };
  return posted(url, text, headers, sending);
}

async function sendToWebhook(message: Message, sending: Sending): Promise<Sent> {
  const { "notify.webhookUrl": url, "notify.webhookSecret": secret } = sending.settings;
  if (!url) return { ok: false, message: "notify.webhookUrl is not set", isFinal: true };
  const body = payloadOf(message);
  const signature = secret === undefined ? {} : { "X-AI-Runtime-Signature": signatureOf(body, secret) };
  const headers = { "Content-Type": "application/json", "X-AI-Runtime-Event": message.event, ...signature };
  return posted(url, body, headers, sending);
}

const signatureOf = (body: string, secret: string): string =>
  `sha256=${new Bun.CryptoHasher("sha256", secret).update(body).digest("hex")}`;

async function posted(url: URL, body: string, headers: Record<string, string>, sending: Sending): Promise<Sent> {
  const end = await post(url, { body, headers, milliseconds: milliseconds(sending) });
  // The path may be a secret, as with a topic of ntfy.
  if (end.kind === "failed") return { ok: false, message: `${url.host}: ${end.message}`, isFinal: false };
  if (end.status >= 200 && end.status < 300) return { ok: true };
  const isFinal = end.status < 500 && end.status !== 429 && end.status !== 408;
  return { ok: false, message: `${url.host} answered with status ${end.status}`, isFinal };
}

async function startCommand(message: Message, sending: Sending): Promise<Sent> {
  const { "notify.commandWords": words, "notify.commandShell": isScript } = sending.settings;
  const [program = "", ...rest] = words;
  const command = isScript ? ["sh", "-c", program, "sh", ...rest] : [program, ...rest];
  const end = await runBounded(command, {
    variables: {
      ...sending.variables,
      AI_RUNTIME_NOTIFY_EVENT: message.event,
      AI_RUNTIME_NOTIFY_TITLE: message.title,
      AI_RUNTIME_NOTIFY_TEXT: message.text,
      AI_RUNTIME_NOTIFY_IDS: message.items.map(({ id }) => id).join(" "),
    },
    stdin: `${payloadOf(message)}\n`,
    milliseconds: milliseconds(sending),
  });
  return sentBy(isScript ? "the script" : program, end);
}

function sentBy(program: string, end: BoundedEnd): Sent {
  switch (end.kind) {
    case "exited":
      if (end.exitCode === 0) return { ok: true };
      return { ok: false, message: `${program} ended with exit code ${end.exitCode}`, isFinal: true };
    case "late":
      return { ok: false, message: `${program} did not end in time`, isFinal: true };
    case "not-started":
      return { ok: false, message: `${program} cannot be started: ${messageOf(end.error)}`, isFinal: true };
  }
}
