import { parseDetachKey } from "./host/detach-key.ts";
import { parseQuietHours } from "./host/quiet-hours.ts";
import { statusLineSettings } from "./checkpoint/status-segments.ts";
import { costSettings } from "./cost/cost-settings.ts";
import { queueSettings } from "./queue/queue-settings.ts";
import { notifySettings } from "./notify/notify-settings.ts";
import { maxLimitMs } from "./restart/limit-wait.ts";
import { readTable, type SettingsRead } from "./settings-reader.ts";
import type { SettingsTable, ValuesOf } from "./settings-row.ts";
import type { Variables } from "./variables.ts";

const maxWaitSeconds = maxLimitMs / 1_000;

/** All settings. To add one, add a row here and run `bun scripts/settings-page.ts --write`. */
export const settingsTable = {
  minSize: {
    kind: "number",
    whole: true,
    unit: "bytes",
    min: 0,
    variable: "SESSION_SNAPSHOT_MIN_SIZE",
    default: 200_000,
    group: "Snapshots",
    meaning:
      "The size of the transcript at which the hook adds the first mark; the bytes are copied from the first tool call on.",
  },
  interval: {
    kind: "number",
    whole: true,
    unit: "bytes",
    min: 0,
    variable: "SESSION_SNAPSHOT_INTERVAL",
    default: 80_000,
    group: "Snapshots",
    meaning: "The growth of the transcript after which the hook adds the next mark.",
  },
  maxDisk: {
    kind: "number",
    whole: true,
    unit: "bytes",
    min: 0,
    variable: "SESSION_SNAPSHOT_MAX_DISK",
    default: 5_000_000_000,
    group: "Snapshots",
    meaning: "The disk space for all snapshots; above it, maintenance removes the oldest ones.",
  },
  coldAfterDays: {
    kind: "number",
    whole: true,
    unit: "days",
    min: 0,
    variable: "SESSION_SNAPSHOT_COLD_AFTER_DAYS",
    default: 7,
    group: "Snapshots",
    meaning: "The time without a new mark after which maintenance compresses a snapshot.",
  },
  backfill: {
    kind: "on-off",
    variable: "SESSION_SNAPSHOT_BACKFILL",
    default: true,
    group: "Snapshots",
    meaning: "Whether install saves the conversations that exist already, in the background.",
  },
  "files.enabled": {
    kind: "on-off",
    variable: "SESSION_SNAPSHOT_FILES",
    default: true,
    group: "Snapshots",
    meaning: "Whether the hook saves the files of the project, too; needs git on PATH.",
  },
  "files.include": {
    kind: "list",
    variable: "SESSION_SNAPSHOT_FILES_INCLUDE",
    default: [],
    group: "Snapshots",
    meaning: 'Patterns of files that are saved although git ignores them, like ".env*" or "data/".',
  },
  "files.maxFileBytes": {
    kind: "number",
    whole: true,
    unit: "bytes",
    min: 0,
    variable: "SESSION_SNAPSHOT_FILES_MAX_FILE_BYTES",
    default: 50_000_000,
    group: "Snapshots",
    meaning: "The size above which a file is named in a file mark, but not saved.",
  },
  "files.waitSeconds": {
    kind: "number",
    unit: "seconds",
    min: 0,
    max: 600,
    variable: "SESSION_SNAPSHOT_FILES_WAIT_SECONDS",
    default: 1.5,
    group: "Snapshots",
    meaning:
      "The longest time that Claude waits for a file mark; after it the mark goes on in the background, as a late one.",
  },
  debug: {
    kind: "on-off",
    variable: "SESSION_SNAPSHOT_DEBUG",
    environmentOnly: true,
    default: false,
    group: "Snapshots",
    meaning: "The hook logs every decision to logs/snapshot.log; it always logs failures.",
  },
  checkpointAtPercent: {
    kind: "number",
    unit: "percent",
    min: 0,
    max: 100,
    variable: "AI_RUNTIME_CHECKPOINT_AT_PERCENT",
    default: 97,
    group: "Checkpoints",
    meaning: "The used share of a usage window at which a checkpoint is saved, once per window and session.",
  },
  checkpointStaleDays: {
    kind: "number",
    unit: "days",
    min: 0,
    max: 36_500,
    variable: "AI_RUNTIME_CHECKPOINT_STALE_DAYS",
    default: 7,
    group: "Checkpoints",
    meaning: "The age above which new sessions no longer see a checkpoint.",
  },
  surfaceOtherProjects: {
    kind: "choice",
    choices: ["line", "off"],
    variable: "AI_RUNTIME_SURFACE_OTHER_PROJECTS",
    default: "line",
    group: "Checkpoints",
    meaning:
      "Whether a new session without a checkpoint of its directory shows you the newest one of all, in one line (line), or nothing (off).",
  },
  ...statusLineSettings,
  waitSeconds: {
    kind: "number",
    unit: "seconds",
    min: 0,
    max: maxWaitSeconds,
    variable: "AI_RUNTIME_WAIT_SECONDS",
    default: 3_600,
    group: "Limits and restarts",
    meaning: "The wait at a usage limit that does not say when it resets.",
  },
  nativeRetry: {
    kind: "on-off",
    variable: "AI_RUNTIME_NATIVE_RETRY",
    default: true,
    group: "Limits and restarts",
    meaning:
      "Claude waits for a usage limit or a failing API inside its own process where its version can (CLAUDE_CODE_RETRY_WATCHDOG), unless you set that variable yourself.",
  },
  cclaudeNoWait: {
    kind: "on-off",
    variable: "CCLAUDE_NO_WAIT",
    default: false,
    group: "Limits and restarts",
    meaning: "At a usage limit, cclaude exits with code 75 instead of waiting.",
  },
  cclaudeRetrySeconds: {
    kind: "number",
    unit: "seconds",
    min: 0,
    max: maxWaitSeconds,
    variable: "CCLAUDE_RETRY_SECONDS",
    default: undefined,
    defaultText: "1, or 5 with -p",
    group: "Limits and restarts",
    meaning: "The wait before cclaude restarts a crashed claude; doubles each time, up to five minutes.",
  },
  maxAttempts: {
    kind: "number",
    whole: true,
    unit: "attempts",
    min: 1,
    variable: "AI_RUNTIME_MAX_ATTEMPTS",
    default: 10,
    group: "Limits and restarts",
    meaning:
      "The crashes in a row without an answer after which a run gives up; limits and a failing API do not count.",
  },
  runRetrySeconds: {
    kind: "number",
    unit: "seconds",
    min: 0,
    max: maxWaitSeconds,
    variable: "AI_RUNTIME_RETRY_SECONDS",
    default: 10,
    group: "Limits and restarts",
    meaning: "The wait before a run restarts a crashed claude; doubles each time, up to five minutes.",
  },
  recoverAtLogin: {
    kind: "choice",
    choices: ["runs", "all", "ask"],
    variable: "AI_RUNTIME_RECOVER_AT_LOGIN",
    default: "runs",
    group: "Limits and restarts",
    meaning:
      "What ai-runtime install --at-login continues after a reboot: interrupted runs (runs), also sessions of cclaude (all), or nothing, it only tells you (ask).",
  },
  ...costSettings,
  hosting: {
    kind: "choice",
    choices: ["on", "off"],
    variable: "CCLAUDE_HOSTING",
    default: "on",
    group: "Detach and attach",
    meaning:
      "Whether cclaude on a terminal runs Claude in a host, which outlives the terminal (on), or in the terminal itself (off).",
  },
  direct: {
    kind: "on-off",
    variable: "CCLAUDE_DIRECT",
    environmentOnly: true,
    default: false,
    group: "Detach and attach",
    meaning: "On a terminal, cclaude runs Claude in the terminal itself, as the option --direct does.",
  },
  detachKey: {
    kind: "parsed",
    parse: parseDetachKey,
    requirement: 'a key like "ctrl-]" or "ctrl-b d"',
    variable: "AI_RUNTIME_DETACH_KEY",
    default: "ctrl-\\ d",
    group: "Detach and attach",
    meaning:
      "The key that detaches the client: one Ctrl key, or one and a letter; pressed twice, Claude receives it once.",
  },
  typeContinuation: {
    kind: "on-off",
    variable: "AI_RUNTIME_TYPE_CONTINUATION",
    default: true,
    group: "Detach and attach",
    meaning: "After a usage limit, the host types the message that lets Claude continue.",
  },
  quietHours: {
    kind: "parsed",
    parse: parseQuietHours,
    requirement: 'hours like "22:00-07:00"',
    variable: "AI_RUNTIME_QUIET_HOURS",
    default: undefined,
    group: "Detach and attach",
    meaning:
      'The local hours in which the host does not type and a recovery at login does not start, like "22:00-07:00"; both follow when they end.',
  },
  continueAfterSeconds: {
    kind: "number",
    unit: "seconds",
    min: 0,
    max: 86_400,
    variable: "AI_RUNTIME_CONTINUE_AFTER_SECONDS",
    default: undefined,
    defaultText: "1, or 180 with a claude that continues on its own",
    group: "Detach and attach",
    meaning: "The wait between the reset of a usage limit and the typed message.",
  },
  onHangup: {
    kind: "choice",
    choices: ["finish", "keep", "end"],
    variable: "AI_RUNTIME_ON_HANGUP",
    default: "finish",
    group: "Detach and attach",
    meaning:
      "What a hosted Claude does when its last terminal is closed or loses the connection: it finishes its turn, waits for limits included, and exits (finish), it stays until you attach (keep), or it ends at once (end).",
  },
  askTimeoutHours: {
    kind: "number",
    unit: "hours",
    min: 0,
    max: 8_760,
    variable: "AI_RUNTIME_ASK_TIMEOUT_HOURS",
    default: 24,
    group: "Detach and attach",
    meaning: "How long a Claude whose terminal was lost waits for the answer to its question before it ends.",
  },
  ...queueSettings,
  ...notifySettings,
  claudeBinary: {
    kind: "text",
    variable: "CCLAUDE_CLAUDE_BIN",
    environmentOnly: true,
    default: undefined,
    defaultText: "the first claude on PATH",
    group: "Programs",
    meaning: "The path of the claude to start.",
  },
} as const satisfies SettingsTable;

export type Settings = ValuesOf<typeof settingsTable>;

/** The only reader of config.json and of the variables in the table. */
export const readSettings = (
  configText: string | undefined,
  variables: Variables,
): SettingsRead<typeof settingsTable> => readTable(settingsTable, configText, variables);
