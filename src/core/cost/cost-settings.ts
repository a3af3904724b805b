import type { SettingsTable } from "../settings-row.ts";

/** The rows of the settings table about what a resume costs. */
export const costSettings = {
  maxColdTokens: {
    kind: "number",
    whole: true,
    unit: "tokens",
    min: 0,
    variable: "AI_RUNTIME_MAX_COLD_TOKENS",
    default: 200_000,
    group: "Limits and restarts",
    meaning:
      "The size of a conversation up to which a run resumes it without asking after its prompt cache has expired.",
  },
  coldResume: {
    kind: "choice",
    choices: ["ask", "continue", "restore"],
    variable: "AI_RUNTIME_COLD_RESUME",
    default: "ask",
    group: "Limits and restarts",
    meaning:
      "What a run does above maxColdTokens: it asks on a terminal and continues elsewhere (ask), it continues (continue), or it goes back to a point below it (restore).",
  },
} as const satisfies SettingsTable;
