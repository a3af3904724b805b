import { defaultSnapshotRules, type SnapshotRules } from "./snapshot-due.ts";

export interface SnapshotSettings extends SnapshotRules {
  /** Snapshots may use this many bytes; then the oldest cold ones go. */
  maxDisk: number;
  /** Days without a new mark after which a snapshot is cold, and gets compressed. */
  coldAfterDays: number;
}

export const defaultSnapshotSettings: SnapshotSettings = {
  ...defaultSnapshotRules,
  maxDisk: 5_000_000_000,
  coldAfterDays: 7,
};

const variables: Record<keyof SnapshotSettings, string> = {
  minSize: "SESSION_SNAPSHOT_MIN_SIZE",
  interval: "SESSION_SNAPSHOT_INTERVAL",
  maxDisk: "SESSION_SNAPSHOT_MAX_DISK",
  coldAfterDays: "SESSION_SNAPSHOT_COLD_AFTER_DAYS",
};

export interface SettingsRead {
  settings: SnapshotSettings;
  /** One sentence for each value that could not be used; the default holds in its place. */
  problems: string[];
}

/** The environment wins over the file, the file over the defaults; a bad value is reported and never guessed. */
export function readSettings(file: string | undefined, environment: Record<string, string | undefined>): SettingsRead {
  const problems: string[] = [];
  const fromFile = parseFile(file, problems);
  const settings = { ...defaultSnapshotSettings };
  for (const key of Object.keys(variables) as (keyof SnapshotSettings)[]) {
    const variable = environment[variables[key]];
    const [place, value] =
      variable !== undefined && variable !== ""
        ? [variables[key], Number(variable)]
        : [`config.json: ${key}`, fromFile[key]];
    if (value === undefined) continue;
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) settings[key] = value;
    else problems.push(`${place} must be a whole number of at least 0; using ${settings[key]}`);
  }
  return { settings, problems };
}

function parseFile(text: string | undefined, problems: string[]): Record<string, unknown> {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Said below, together with what is JSON but not an object.
  }
  problems.push("config.json is not a JSON object; using the defaults");
  return {};
}
