import type { SettingsTable } from "../settings-row.ts";

/** The parts of the status line, the most important first. */
export const statusSegments = ["needs-you", "limit", "context", "five-hour", "seven-day", "saved"] as const;
export type StatusSegment = (typeof statusSegments)[number];

const separator = " · ";

/** Joins the segments in the user's order. In a narrow terminal the least important ones are left out, and the rest is cut. */
export function fitSegments(
  texts: Readonly<Record<StatusSegment, string>>,
  order: readonly string[],
  width: number,
): string {
  const shown = new Set(order.filter((name): name is StatusSegment => texts[name as StatusSegment] !== ""));
  const join = (): string => [...shown].map((name) => texts[name]).join(separator);
  for (const name of statusSegments.toReversed()) {
    if (join().length <= width || shown.size <= 1) break;
    shown.delete(name);
  }
  const line = join();
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}

export const statusLineSettings = {
  "statusLine.segments": {
    kind: "list",
    choices: statusSegments,
    variable: "AI_RUNTIME_STATUS_LINE_SEGMENTS",
    default: statusSegments,
    group: "Checkpoints",
    meaning:
      "The parts of the status line and their order: other sessions that need you, the usage limit, the context, the usage windows, the age of the checkpoint.",
  },
} as const satisfies SettingsTable;
