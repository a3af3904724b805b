const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Reads `30s`, `90m`, `12h`, `30d` or `2w` as milliseconds. Returns undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,6})([smhdw])$/.exec(text);
  return match ? Number(match[1]) * (unitMs[match[2] ?? ""] ?? 0) : undefined;
}

/** An age or a wait in its two largest units: `12s`, `4m 9s`, `2h 13m`, `2d 23h`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  const parts: [count: number, unit: string][] = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "m"],
    [seconds % 60, "s"],
  ];
  const largest = parts.findIndex(([count]) => count > 0);
  if (largest < 0) return "0s";
  return parts
    .slice(largest, largest + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join(" ");
}
