import { listHookEvents } from "../claude/installed-hooks.ts";
import { settingsPath } from "../claude/paths.ts";
import { readText } from "../io/read-file.ts";
import type { Environment } from "./environment.ts";
import type { HookJobs } from "./hook.ts";

/** Plugin and settings both run their hooks: what the settings call for this event is done there, and not twice. */
export function jobsLeft({ claudeConfig }: Environment, event: string): HookJobs {
  const settings = readText(settingsPath(claudeConfig));
  const installed = (program: "ai-runtime" | "session-snapshot"): boolean =>
    listHookEvents(settings, program).includes(event);
  const everything = installed("ai-runtime");
  return { checkpoints: !everything, snapshots: !everything && !installed("session-snapshot") };
}
