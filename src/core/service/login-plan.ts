import { type Check, has, isText } from "../check-record.ts";
import { launchdCommands, launchdLoginPlist } from "./service-launchd.ts";
import type { LoginOptions, PlannedFile, ServicePlan } from "./service-options.ts";
import { loginNotes } from "./service-notes.ts";
import { servicePaths } from "./service-paths.ts";
import type { InstalledFiles } from "./service-plan.ts";
import { systemdCommands, systemdLoginUnit } from "./service-systemd.ts";
import { taskCommands, taskLoginXml } from "./service-task.ts";
import { loginScriptText } from "./service-wrapper.ts";

/** The start at login has the files of a service with this name. No workspace gets this slug: theirs end with a hash. */
export const loginSlug = "at-login";

/** The file that describes the start at login: install writes it, uninstall reads and removes it. */
export interface LoginRecord extends InstalledFiles {
  readonly version: 1;
  readonly kind: "at-login";
}

/** Plans the start at login completely, without reading files or running commands. The record is the first file. */
export function planLogin(options: LoginOptions): ServicePlan {
  const { system, slug, places, hash } = options;
  const paths = servicePaths(system, slug, places);
  const script: PlannedFile = { path: paths.wrapper, content: loginScriptText(options), mode: 0o700 };
  const unit: PlannedFile = { path: paths.unit, content: unitText(options), mode: 0o600 };
  const files = [script, unit];
  const record: LoginRecord = {
    version: 1,
    kind: "at-login",
    slug,
    system,
    files: files.map(({ path, content }) => ({ path, hash: hash(content) })),
  };
  const recordFile: PlannedFile = { path: paths.record, content: `${JSON.stringify(record, null, 2)}\n`, mode: 0o600 };
  return { files: [recordFile, ...files], commands: installCommands(options), notes: loginNotes(options) };
}

function unitText(options: LoginOptions): string {
  switch (options.system) {
    case "linux":
      return systemdLoginUnit(options);
    case "darwin":
      return launchdLoginPlist(options);
    case "windows":
      return taskLoginXml(options);
  }
}

function installCommands(options: LoginOptions): string[][] {
  switch (options.system) {
    case "linux":
      return systemdCommands.installLogin(options);
    case "darwin":
      return launchdCommands.installLogin(options);
    case "windows":
      return taskCommands.installLogin(options);
  }
}

const isShaped = has({
  version: (value) => value === 1,
  kind: (value) => value === "at-login",
  slug: (value) => value === loginSlug,
  system: (value) => value === "linux" || value === "darwin" || value === "windows",
  files: (value) => Array.isArray(value) && value.every(has({ path: isText, hash: isText })),
} satisfies Record<keyof LoginRecord, Check>);

/** Undefined when any field is invalid, or when a newer version wrote the record. */
export function parseLoginRecord(text: string): LoginRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isShaped(value) ? (value as LoginRecord) : undefined;
  } catch {
    return undefined;
  }
}
