import { listHookEvents } from "../../claude/hooks/installed-hooks.ts";
import { settingsPath } from "../../claude/paths.ts";
import { readText } from "../../io/files/read-file.ts";
import type { Environment } from "../environment.ts";
import type { HookJobs } from "./hook.ts";

/** When the plugin and the settings both register hooks, the plugin skips the jobs that the settings already run for this event. */
export function jobsLeft({ claudeConfig }: Environment, event: string): HookJobs {
  const settings = readText(settingsPath(claudeConfig));
  const installed = (program: "ai-runtime" | "session-snapshot"): boolean =>
    listHookEvents(settings, program).includes(event);
  const everything = installed("ai-runtime");
  return { checkpoints: !everything, snapshots: !everything && !installed("session-snapshot") };
}
