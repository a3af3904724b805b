/** All that `config.json` may say; each is read by the settings of what it is about. */
const known = [
  "minSize",
  "interval",
  "maxDisk",
  "coldAfterDays",
  "checkpointAtPercent",
  "checkpointStaleDays",
  "detachKey",
  "typeContinuation",
  "quietHours",
  "continueAfterSeconds",
];

/** One sentence for each key that nobody reads: a slip in `maxDisk` must not be the default in silence. */
export function unknownSettings(file: string | undefined): string[] {
  return keysOf(file)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const meant = known.find((each) => each.toLowerCase() === key.toLowerCase());
      return `config.json: ${key} is no setting${meant ? `; it is written ${meant}` : `: there are ${known.join(", ")}`}`;
    });
}

function keysOf(text: string | undefined): string[] {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  } catch {
    return [];
  }
}
