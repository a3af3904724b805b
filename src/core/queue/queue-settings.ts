import type { SettingsTable } from "../settings-row.ts";

/** The rows of the settings table about the queue. */
export const queueSettings = {
  "queue.maxParallel": {
    kind: "number",
    whole: true,
    unit: "runs",
    min: 1,
    max: 1_000,
    variable: "AI_RUNTIME_QUEUE_MAX_PARALLEL",
    default: 1,
    group: "Queue",
    meaning: "How many runs of the queue work at the same time for one account; --max-parallel overrides it for a run.",
  },
} as const satisfies SettingsTable;
