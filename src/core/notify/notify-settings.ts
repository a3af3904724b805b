import { parseQuietHours } from "../host/quiet-hours.ts";
import type { SettingsTable } from "../settings-row.ts";
import { notifyEvents } from "./notification.ts";
import { terminalNotices } from "./terminal-notice.ts";

const group = "Notifications";
const events = ["all", ...notifyEvents];

/** The rows of the settings table about notifications. */
export const notifySettings = {
  "notify.terminal": {
    kind: "list",
    choices: events,
    variable: "AI_RUNTIME_NOTIFY_TERMINAL",
    default: [],
    group,
    meaning: "The events that reach your terminal: those of a host its attached terminals, those of a run its own.",
  },
  "notify.terminalKind": {
    kind: "choice",
    choices: terminalNotices,
    variable: "AI_RUNTIME_NOTIFY_TERMINAL_KIND",
    default: "osc9",
    group,
    meaning: "What a terminal receives: the sequence OSC 9, the sequence OSC 777, or the bell.",
  },
  "notify.desktop": {
    kind: "list",
    choices: events,
    variable: "AI_RUNTIME_NOTIFY_DESKTOP",
    default: [],
    group,
    meaning: "The events that appear on the desktop, through notify-send, osascript or PowerShell.",
  },
  "notify.ntfy": {
    kind: "list",
    choices: events,
    variable: "AI_RUNTIME_NOTIFY_NTFY",
    default: ["all"],
    group,
    meaning: "The events that go to notify.ntfyUrl.",
  },
  "notify.ntfyUrl": {
    kind: "parsed",
    parse: parseUrl,
    requirement: 'an address like "https://ntfy.example.org/topic"',
    variable: "AI_RUNTIME_NOTIFY_NTFY_URL",
    default: undefined,
    group,
    meaning: "The address of an ntfy topic; without it, nothing goes there.",
  },
  "notify.ntfyToken": {
    kind: "text",
    variable: "AI_RUNTIME_NOTIFY_NTFY_TOKEN",
    default: undefined,
    group,
    meaning: "The access token for that topic.",
  },
  "notify.webhook": {
    kind: "list",
    choices: events,
    variable: "AI_RUNTIME_NOTIFY_WEBHOOK",
    default: ["all"],
    group,
    meaning: "The events that go to notify.webhookUrl.",
  },
  "notify.webhookUrl": {
    kind: "parsed",
    parse: parseUrl,
    requirement: 'an address like "https://example.org/hook"',
    variable: "AI_RUNTIME_NOTIFY_WEBHOOK_URL",
    default: undefined,
    group,
    meaning: "The address that receives each message as JSON; without it, nothing goes there.",
  },
  "notify.webhookSecret": {
    kind: "text",
    variable: "AI_RUNTIME_NOTIFY_WEBHOOK_SECRET",
    default: undefined,
    group,
    meaning: "The key of the signature (HMAC-SHA-256) in the header X-AI-Runtime-Signature; without it, there is none.",
  },
  "notify.command": {
    kind: "list",
    choices: events,
    variable: "AI_RUNTIME_NOTIFY_COMMAND",
    default: ["all"],
    group,
    meaning: "The events for which notify.commandWords is started.",
  },
  "notify.commandWords": {
    kind: "list",
    variable: "AI_RUNTIME_NOTIFY_COMMAND_WORDS",
    default: [],
    group,
    meaning:
      'A program and its arguments, like ["/usr/local/bin/tell", "--loud"], that gets the message as JSON on stdin and in variables; without it, nothing is started.',
  },
  "notify.commandShell": {
    kind: "on-off",
    variable: "AI_RUNTIME_NOTIFY_COMMAND_SHELL",
    default: false,
    group,
    meaning: "The first word of notify.commandWords is a shell script, and the others are its arguments.",
  },
  "notify.terse": {
    kind: "choice",
    choices: ["network", "always", "never"],
    variable: "AI_RUNTIME_NOTIFY_TERSE",
    default: "network",
    group,
    meaning: "Which channels get no titles and no paths: ntfy and webhook (network), all (always) or none (never).",
  },
  "notify.quietHours": {
    kind: "parsed",
    parse: parseQuietHours,
    requirement: 'hours like "22:00-07:00"',
    variable: "AI_RUNTIME_NOTIFY_QUIET_HOURS",
    default: undefined,
    defaultText: "quietHours",
    group,
    meaning: "The local hours in which nothing is sent; what happens in them is one message when they end.",
  },
  "notify.intervalSeconds": {
    kind: "number",
    unit: "seconds",
    min: 0,
    max: 86_400,
    variable: "AI_RUNTIME_NOTIFY_INTERVAL_SECONDS",
    default: 30,
    group,
    meaning: "The shortest time between two messages of a channel; what happens in it is one message.",
  },
  "notify.timeoutSeconds": {
    kind: "number",
    unit: "seconds",
    min: 0.1,
    max: 120,
    variable: "AI_RUNTIME_NOTIFY_TIMEOUT_SECONDS",
    default: 10,
    group,
    meaning: "The longest time for one try to deliver a message.",
  },
} as const satisfies SettingsTable;

/** Only http and https, without a user name: that would be sent in the clear and shown in messages. */
function parseUrl(text: string): URL | undefined {
  const url = URL.parse(text.trim());
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  return url && isWeb && url.username === "" && url.password === "" ? url : undefined;
}
