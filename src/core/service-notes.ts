import type { ServiceOptions } from "./service-options.ts";
import { servicePaths } from "./service-paths.ts";

/** What a person should know before he says yes. */
export function serviceNotes(options: ServiceOptions): string[] {
  const { system, slug, places, resume, claude, environment } = options;
  const { record, log } = servicePaths(system, slug, places);
  const notes = [`What it does and why is written to ${log}.`, ...systemNotes[system]];
  if (resume) {
    notes.push(
      `ai-runtime attach ${slug} shows its screen. A directory that Claude has not seen asks there whether it may be trusted.`,
    );
  } else {
    notes.push(
      "claude is started without a terminal and without its last conversation: it needs flags for that, such as -p.",
    );
    if (options.watchdog !== null)
      notes.push("Nobody watches a claude that the unit starts itself: --watchdog has no effect.");
    if (system === "windows")
      notes.push("A task has no environment of its own: set DISABLE_AUTOUPDATER=1 for the user.");
  }
  if (claude === null) notes.push("claude was not found on PATH; it is looked for at each start.");
  if (Object.keys(environment).some((name) => /KEY|TOKEN|SECRET|PASSWORD/i.test(name))) {
    notes.push(`Values given with --env stand in ${resume ? record : "the unit"} in clear, readable by you alone.`);
  }
  return notes;
}

const systemNotes: Record<ServiceOptions["system"], string[]> = {
  linux: ["It runs while you are logged in; to keep it running after that, and from boot on: loginctl enable-linger"],
  darwin: ["It runs while you are logged in, and starts at the next login."],
  windows: ["It runs while you are logged on, and starts at the next logon."],
};
