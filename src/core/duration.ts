const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `30s`, `90m`, `12h`, `30d`, `2w`, in milliseconds. Undefined when it is none of these. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,6})([smhdw])$/.exec(text);
  return match ? Number(match[1]) * (units[match[2] ?? ""] ?? 0) : undefined;
}
