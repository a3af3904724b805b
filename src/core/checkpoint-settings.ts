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

/** The environment wins over the file; what is not a number in range leaves the default. */
export function readCheckpointSettings(
  file: string | undefined,
  environment: Record<string, string | undefined>,
): CheckpointSettings {
  const fields = parse(file);
  const settings = { ...defaultCheckpointSettings };
  for (const name of ["atPercent", "staleDays"] as const) {
    const { key, variable, largest } = places[name];
    const value = environment[variable] ? Number(environment[variable]) : fields[key];
    if (typeof value === "number" && value >= 0 && value <= largest) settings[name] = value;
  }
  return settings;
}

function parse(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
