import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { renderSettingsPage, settingsPagePath } from "../../scripts/settings-page.ts";
import { readSettings, type Settings, settingsTable } from "../../src/core/settings.ts";
import { describeSetting } from "../../src/core/settings-help.ts";
import { readTable } from "../../src/core/settings-reader.ts";
import type { Variables } from "../../src/core/variables.ts";
import { defaultTextOf, requirementOf, type SettingRow, type SettingsTable } from "../../src/core/settings-row.ts";

type Key = keyof typeof settingsTable;
const keys = Object.keys(settingsTable) as Key[];
const rowOf = (key: Key): SettingRow => settingsTable[key];
const inFile = keys.filter((key) => !rowOf(key).environmentOnly);
const defaults = readSettings(undefined, {}).settings;

function settingsAndProblems(
  text: string | undefined,
  variables: Variables,
): { settings: Settings; problems: unknown } {
  const { settings, problems } = readSettings(text, variables);
  return { settings, problems };
}

/** A valid value that is not the default, as text. */
function otherValue(row: SettingRow): string {
  switch (row.kind) {
    case "number":
      return String(row.min + 3);
    case "on-off":
      return String(!row.default);
    case "choice":
      return row.choices.find((choice) => choice !== row.default) ?? "";
    case "parsed":
      return /"(.+?)"/.exec(row.requirement)?.[1] ?? "";
    case "list":
      return row.choices?.find((choice) => !row.default.includes(choice)) ?? row.choices?.[0] ?? "/some/path";
    case "text":
      return "/some/path";
  }
}

/** Values that the row must refuse. */
function badValues(row: SettingRow): string[] {
  if (row.kind === "text" || (row.kind === "list" && !row.choices)) return [];
  if (row.kind !== "number") return ["\u0007"];
  const tooLarge = row.max === undefined ? [] : [String(row.max + 1)];
  return ["soon", "NaN", "Infinity", "1GB", String(row.min - 1), ...tooLarge, ...(row.whole ? ["2.5"] : [])];
}

const withVariable = (key: Key, text: string): Record<string, string> => ({ [rowOf(key).variable ?? ""]: text });

describe.each(keys)("the setting %s", (key) => {
  const row = rowOf(key);

  test("has its default without a value, and with an empty variable", () => {
    for (const text of ["", " "]) {
      expect(settingsAndProblems("{}", withVariable(key, text))).toEqual({ settings: defaults, problems: [] });
    }
  });

  test("takes the value of its variable", () => {
    const { settings, problems } = readSettings(undefined, withVariable(key, otherValue(row)));
    expect(problems).toEqual([]);
    expect(settings[key]).not.toEqual(defaults[key]);
    expect({ ...settings, [key]: defaults[key] }).toEqual(defaults);
  });

  test("refuses an unusable variable with a sentence", () => {
    for (const text of badValues(row)) {
      const problem = `${row.variable} must be ${requirementOf(row)} (got ${JSON.stringify(text)}); using ${defaultTextOf(row)}`;
      expect(settingsAndProblems(undefined, withVariable(key, text))).toEqual({
        settings: defaults,
        problems: [problem],
      });
    }
  });

  test("is in the document, which names its variable, its default and its meaning", () => {
    const line = renderSettingsPage()
      .split("\n")
      .find((each) => each.includes(`\`${row.variable}\``));
    const { value, defaultText, meaning } = describeSetting(key);
    for (const text of [value, `\`${defaultText}\``, meaning]) expect(line).toContain(text);
    if (!row.environmentOnly) expect(line).toContain(`| \`${key}\``);
  });

  test("has a meaning of one sentence", () => {
    expect(row.meaning).toMatch(/^[A-Z][^.]*(\.[a-z][^.]*)?\.$/);
  });
});

describe.each(inFile)("in config.json, %s", (key) => {
  const row = rowOf(key);

  test("applies, and the variable overrides it", () => {
    const text = JSON.stringify({ [key]: otherValue(row) });
    const { settings, problems } = readSettings(text, {});
    expect(problems).toEqual([]);
    expect(settings[key]).not.toEqual(defaults[key]);
    // A shell cannot say "empty list": an empty variable means that it is not set.
    if (row.default === undefined || String(row.default) === "") return;
    expect(settingsAndProblems(text, withVariable(key, String(row.default)))).toEqual({
      settings: defaults,
      problems: [],
    });
  });

  test.each([{}, null])("refuses %j with a sentence", (value) => {
    const reason = `must be ${requirementOf(row)} (got ${JSON.stringify(value)})`;
    expect(settingsAndProblems(JSON.stringify({ [key]: value }), {})).toEqual({
      settings: defaults,
      problems: [`${key} in config.json ${reason}; using ${defaultTextOf(row)}`],
    });
  });
});

test("the names that users have in their files and shells stay valid", () => {
  const fileKeys =
    "minSize interval maxDisk coldAfterDays backfill files.enabled files.include files.maxFileBytes files.waitSeconds checkpointAtPercent checkpointStaleDays surfaceOtherProjects detachKey typeContinuation quietHours continueAfterSeconds onHangup askTimeoutHours";
  const variables =
    "SESSION_SNAPSHOT_MIN_SIZE SESSION_SNAPSHOT_INTERVAL SESSION_SNAPSHOT_MAX_DISK SESSION_SNAPSHOT_COLD_AFTER_DAYS SESSION_SNAPSHOT_BACKFILL SESSION_SNAPSHOT_FILES SESSION_SNAPSHOT_FILES_INCLUDE SESSION_SNAPSHOT_FILES_MAX_FILE_BYTES SESSION_SNAPSHOT_FILES_WAIT_SECONDS SESSION_SNAPSHOT_DEBUG AI_RUNTIME_CHECKPOINT_AT_PERCENT AI_RUNTIME_CHECKPOINT_STALE_DAYS AI_RUNTIME_SURFACE_OTHER_PROJECTS AI_RUNTIME_DETACH_KEY AI_RUNTIME_TYPE_CONTINUATION AI_RUNTIME_QUIET_HOURS AI_RUNTIME_CONTINUE_AFTER_SECONDS AI_RUNTIME_ON_HANGUP AI_RUNTIME_ASK_TIMEOUT_HOURS AI_RUNTIME_MAX_ATTEMPTS AI_RUNTIME_RETRY_SECONDS AI_RUNTIME_RECOVER_AT_LOGIN AI_RUNTIME_WAIT_SECONDS AI_RUNTIME_NATIVE_RETRY CCLAUDE_NO_WAIT CCLAUDE_RETRY_SECONDS CCLAUDE_CLAUDE_BIN CCLAUDE_HOSTING CCLAUDE_DIRECT AI_RUNTIME_NOTIFY_TERMINAL AI_RUNTIME_NOTIFY_TERMINAL_KIND AI_RUNTIME_NOTIFY_DESKTOP AI_RUNTIME_NOTIFY_NTFY AI_RUNTIME_NOTIFY_NTFY_URL AI_RUNTIME_NOTIFY_NTFY_TOKEN AI_RUNTIME_NOTIFY_WEBHOOK AI_RUNTIME_NOTIFY_WEBHOOK_URL AI_RUNTIME_NOTIFY_WEBHOOK_SECRET AI_RUNTIME_NOTIFY_COMMAND AI_RUNTIME_NOTIFY_COMMAND_WORDS AI_RUNTIME_NOTIFY_COMMAND_SHELL AI_RUNTIME_NOTIFY_TERSE AI_RUNTIME_NOTIFY_QUIET_HOURS AI_RUNTIME_NOTIFY_INTERVAL_SECONDS AI_RUNTIME_NOTIFY_TIMEOUT_SECONDS AI_RUNTIME_QUEUE_MAX_PARALLEL AI_RUNTIME_MAX_COLD_TOKENS AI_RUNTIME_COLD_RESUME AI_RUNTIME_STATUS_LINE_SEGMENTS";
  expect(inFile).toEqual(expect.arrayContaining(fileKeys.split(" ")));
  expect(keys.map((key) => rowOf(key).variable).sort()).toEqual(variables.split(" ").sort());
});

test("the defaults", () => {
  expect(defaults).toEqual({
    minSize: 200_000,
    interval: 80_000,
    maxDisk: 5_000_000_000,
    coldAfterDays: 7,
    backfill: true,
    "files.enabled": true,
    "files.include": [],
    "files.maxFileBytes": 50_000_000,
    "files.waitSeconds": 1.5,
    debug: false,
    checkpointAtPercent: 97,
    checkpointStaleDays: 7,
    surfaceOtherProjects: "line",
    "statusLine.segments": ["needs-you", "limit", "context", "five-hour", "seven-day", "saved"],
    waitSeconds: 3_600,
    nativeRetry: true,
    cclaudeNoWait: false,
    cclaudeRetrySeconds: undefined,
    maxAttempts: 10,
    runRetrySeconds: 10,
    recoverAtLogin: "runs",
    maxColdTokens: 200_000,
    coldResume: "ask",
    hosting: "on",
    direct: false,
    detachKey: { name: "Ctrl-\\ d", first: 0x1c, second: 0x64 },
    typeContinuation: true,
    quietHours: undefined,
    continueAfterSeconds: undefined,
    onHangup: "finish",
    askTimeoutHours: 24,
    "queue.maxParallel": 1,
    "notify.terminal": [],
    "notify.terminalKind": "osc9",
    "notify.desktop": [],
    "notify.ntfy": ["all"],
    "notify.ntfyUrl": undefined,
    "notify.ntfyToken": undefined,
    "notify.webhook": ["all"],
    "notify.webhookUrl": undefined,
    "notify.webhookSecret": undefined,
    "notify.command": ["all"],
    "notify.commandWords": [],
    "notify.commandShell": false,
    "notify.terse": "network",
    "notify.quietHours": undefined,
    "notify.intervalSeconds": 30,
    "notify.timeoutSeconds": 10,
    claudeBinary: undefined,
  });
});

describe("config.json", () => {
  test("gives parsed values", () => {
    const text = '{"detachKey": "ctrl-b d", "quietHours": "22:00-07:00", "continueAfterSeconds": 0.5, "maxDisk": 1}';
    expect(settingsAndProblems(text, {})).toEqual({
      settings: {
        ...defaults,
        detachKey: { name: "Ctrl-B d", first: 2, second: 0x64 },
        quietHours: { from: 1_320, to: 420 },
        continueAfterSeconds: 0.5,
        maxDisk: 1,
      },
      problems: [],
    });
  });

  test.each(["", "garbage", "[]", "null", "3", '"minSize"'])("%j is reported", (text) => {
    const problems = ["config.json must be a JSON object; using the defaults"];
    expect(settingsAndProblems(text, {})).toEqual({ settings: defaults, problems });
  });

  test.each([
    ["maxdisk", "did you mean maxDisk?"],
    ["maxDisc", "did you mean maxDisk?"],
    ["minSizes", "did you mean minSize?"],
    ["minSze", "did you mean minSize?"],
    ["mniSize", "did you mean minSize?"],
    ["size", "ai-runtime man lists all settings"],
    ["constructor", "ai-runtime man lists all settings"],
    ["__proto__", "ai-runtime man lists all settings"],
    ["", "ai-runtime man lists all settings"],
  ])("the unknown key %j is reported", (key, hint) => {
    const problems = [`unknown setting ${JSON.stringify(key)} in config.json (${hint})`];
    expect(settingsAndProblems(`{${JSON.stringify(key)}: 1}`, {})).toEqual({ settings: defaults, problems });
  });

  test("cannot set what only the environment sets", () => {
    expect(settingsAndProblems('{"debug": true}', {})).toEqual({
      settings: defaults,
      problems: ['"debug" cannot be set in config.json; set the variable SESSION_SNAPSHOT_DEBUG'],
    });
  });

  test("a long value is cut in the sentence", () => {
    const [problem = ""] = readSettings(JSON.stringify({ minSize: "x".repeat(10_000) }), {}).problems;
    expect(problem).toEndWith(`xxx…); using 200000`);
    expect(problem.length).toBeLessThan(200);
  });
});

test.each([
  ["1", true],
  ["on", true],
  ["Yes", true],
  ["TRUE", true],
  ["0", false],
  ["off", false],
  ["no", false],
  ["false", false],
])("an on/off variable of %j is %j", (text, value) => {
  const { settings, problems } = readSettings(undefined, {
    CCLAUDE_NO_WAIT: text,
    AI_RUNTIME_TYPE_CONTINUATION: text,
  });
  expect([settings.cclaudeNoWait, settings.typeContinuation, problems]).toEqual([value, value, []]);
});

test("a new setting is one row: a choice and a list, with the types of their values", () => {
  const table = {
    color: {
      kind: "choice",
      choices: ["auto", "never"],
      default: "auto",
      group: "Programs",
      meaning: "When to color.",
    },
    paths: { kind: "list", variable: "PATHS", default: [], group: "Programs", meaning: "Where to look." },
  } as const satisfies SettingsTable;
  const { settings, problems } = readTable(table, '{"color": "never"}', { PATHS: "a, b,," });
  const color: "auto" | "never" = settings.color;
  const paths: readonly string[] = settings.paths;
  expect({ color, paths, problems }).toEqual({ color: "never", paths: ["a", "b"], problems: [] });
  expect(readTable(table, '{"color": "red", "paths": [1]}', {})).toEqual({
    settings: { color: "auto", paths: [] },
    problems: [
      'color in config.json must be one of auto, never (got "red"); using auto',
      "paths in config.json must be a list of texts (got [1]); using none",
    ],
    rejected: ["color", "paths"],
  });
});

test("names the settings that the user set unusably: one bad value, or all of a file that is not a JSON object", () => {
  expect(readSettings('{"maxDisk": "lots", "interval": 5}', {}).rejected).toEqual(["maxDisk"]);
  expect(readSettings("garbage", { SESSION_SNAPSHOT_MAX_DISK: "5" }).rejected).toEqual(
    keys.filter((key) => key !== "maxDisk"),
  );
});

test("docs/SETTINGS.md is up to date; to write it: bun scripts/settings-page.ts --write", () => {
  expect(readFileSync(settingsPagePath, "utf8")).toBe(renderSettingsPage());
});
