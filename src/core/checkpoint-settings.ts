export interface CheckpointSettings {
  /** Percent of a usage window at which a checkpoint is saved, once. */
  atPercent: number;
  /** Days after which a checkpoint is no longer shown to new sessions. */
  staleDays: number;
}

const defaultCheckpointSettings: CheckpointSettings = { atPercent: 97, staleDays: 7 };

const places = {
  atPercent: { key: "checkpointAtPercent", variable: "AI_RUNTIME_CHECKPOINT_AT_PERCENT", largest: 100 },
  staleDays: { key: "checkpointStaleDays", variable: "AI_RUNTIME_CHECKPOINT_STALE_DAYS", largest: 36_500 },
} as const;

export interface CheckpointSettingsRead {
  settings: CheckpointSettings;
  /** One sentence for each value that could not be used; the default holds in its place. */
  problems: string[];
}

/** The environment wins over the file; a bad value is reported and never guessed. */
export function readCheckpointSettings(
  file: string | undefined,
  environment: Record<string, string | undefined>,
): CheckpointSettingsRead {
  const fields = parse(file);
  const settings = { ...defaultCheckpointSettings };
  const problems: string[] = [];
  for (const name of ["atPercent", "staleDays"] as const) {
    const { key, variable, largest } = places[name];
    const [place, value] = environment[variable]
      ? [variable, Number(environment[variable])]
      : [`config.json: ${key}`, fields[key]];
    if (value === undefined) continue;
    if (typeof value === "number" && value >= 0 && value <= largest) settings[name] = value;
    else problems.push(`${place} must be a number from 0 to ${largest}; using ${settings[name]}`);
  }
  return { settings, problems };
}

function parse(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
