import { sessionStartEvent } from "../../claude/hooks/hook-event.ts";
import { listHookEvents } from "../../claude/hooks/installed-hooks.ts";
import { settingsPath } from "../../claude/paths.ts";
import type { Environment } from "../environment.ts";
import { readOrReport } from "../read-or-report.ts";

/** The program whose resume tells Claude about a restore: without installed hooks only cclaude brings the hook along. */
export function resumingProgram({ claudeConfig }: Environment): "claude" | "cclaude" {
  const { text } = readOrReport(settingsPath(claudeConfig));
  const programs = ["session-snapshot", "ai-runtime"] as const;
  const isInstalled = programs.some((program) => listHookEvents(text, program).includes(sessionStartEvent));
  return isInstalled ? "claude" : "cclaude";
}
