import type { LoginOptions, ServiceOptions } from "./service-options.ts";
import { servicePaths } from "./service-paths.ts";

/** What the user should know before confirming an install. */
export function serviceNotes(options: ServiceOptions): string[] {
  const { system, slug, places, resume, claude } = options;
  const { record, log } = servicePaths(system, slug, places);
  const notes = [`The service logs what it does and why to ${log}.`, ...systemNotes[system]];
  if (resume) {
    notes.push(
      `ai-runtime attach ${slug} shows its screen. In a directory that is new to Claude, Claude asks there whether to trust it.`,
    );
  } else {
    notes.push(
      "claude starts without a terminal and without its last conversation, so it needs suitable flags such as -p.",
    );
    if (options.watchdog !== null) notes.push("--watchdog has no effect, because the system starts claude directly.");
    if (system === "windows")
      notes.push("A scheduled task cannot set variables: set DISABLE_AUTOUPDATER=1 for your user.");
  }
  if (claude === null) notes.push("claude is not on PATH; the service searches for it at each start.");
  return [...notes, ...variableNotes(options, resume ? record : "the unit")];
}

/** What the user should know about the start at login. */
export function loginNotes(options: LoginOptions): string[] {
  const { system, slug, places } = options;
  const { wrapper, log } = servicePaths(system, slug, places);
  return [
    "At the first login after each boot, it continues interrupted runs; the setting recoverAtLogin can add sessions of cclaude, or make it only report.",
    `It logs what it does, and what that costs, to ${log}.`,
    ...loginSystemNotes[system],
    ...variableNotes(options, wrapper),
  ];
}

function variableNotes({ environment, omittedVariables }: LoginOptions, place: string): string[] {
  const notes: string[] = [];
  if (omittedVariables.length > 0) {
    notes.push(`Not passed on from this shell: ${omittedVariables.join(", ")}. To pass one on, add: --env NAME`);
  }
  if (Object.keys(environment).some((name) => /KEY|TOKEN|SECRET|PASSWORD/i.test(name))) {
    notes.push(`Values given with --env are stored unencrypted in ${place}; only you can read it.`);
  }
  return notes;
}

const loginSystemNotes: Record<ServiceOptions["system"], string[]> = {
  linux: ["What it continues ends when you log out. To start it at boot, and to keep that: loginctl enable-linger"],
  darwin: [],
  windows: ["A shutdown with fast startup may not count as a boot; a restart does."],
};

const systemNotes: Record<ServiceOptions["system"], string[]> = {
  linux: ["It runs while you are logged in. To run it from boot and after logout: loginctl enable-linger"],
  darwin: ["It runs while you are logged in, and starts again at the next login."],
  windows: ["It runs while you are logged on, and starts again at the next logon."],
};
