import { launchdCommands, launchdPlist } from "./service-launchd.ts";
import {
  type PlannedFile,
  type ServiceOptions,
  type ServicePlaces,
  type ServicePlan,
  startLimitInterval,
} from "./service-options.ts";
import { servicePaths } from "./service-paths.ts";
import { serviceNotes } from "./service-notes.ts";
import { recordOf, type ServiceRecord } from "./service-record.ts";
import { systemdCommands, systemdUnit } from "./service-systemd.ts";
import { taskCommands, taskXml } from "./service-task.ts";
import { wrapperText } from "./service-wrapper.ts";

/** Plans an install completely, without reading files or running commands. */
export function planService(options: ServiceOptions): ServicePlan {
  const { system, slug, places, resume, hash } = options;
  const paths = servicePaths(system, slug, places);
  const wrapper: PlannedFile = { path: paths.wrapper, content: wrapperText(options), mode: 0o700 };
  const unit: PlannedFile = { path: paths.unit, content: unitText(options), mode: 0o600 };
  const started = resume ? [wrapper, unit] : [unit];
  // systemd and the Task Scheduler count starts themselves; launchd does not.
  const limit = { burst: options.burst, seconds: startLimitInterval(options) / 1000 };
  const record = recordOf(
    options,
    system === "darwin" ? limit : null,
    started.map(({ path, content }) => ({ path, hash: hash(content) })),
  );
  const recordFile: PlannedFile = { path: paths.record, content: `${JSON.stringify(record, null, 2)}\n`, mode: 0o600 };
  return { files: [recordFile, ...started], commands: installCommands(options), notes: serviceNotes(options) };
}

function unitText(options: ServiceOptions): string {
  switch (options.system) {
    case "linux":
      return systemdUnit(options);
    case "darwin":
      return launchdPlist(options);
    case "windows":
      return taskXml(options);
  }
}

function installCommands(options: ServiceOptions): string[][] {
  switch (options.system) {
    case "linux":
      return systemdCommands.install(options);
    case "darwin":
      return launchdCommands.install(options);
    case "windows":
      return taskCommands.install(options);
  }
}

/** The part of a record that a removal needs. */
export type InstalledFiles = Pick<ServiceRecord, "system" | "slug" | "files">;

export interface RemovalPlan {
  /** Commands to run before the files are removed: they stop the service and everything it started. */
  readonly stop: readonly (readonly string[])[];
  readonly files: ServiceRecord["files"];
  /** Commands to run after the files are removed, so that the system forgets the service. */
  readonly forget: readonly (readonly string[])[];
}

export function planRemoval({ system, slug, files }: InstalledFiles, places: ServicePlaces): RemovalPlan {
  switch (system) {
    case "linux":
      return { stop: systemdCommands.stop(slug), files, forget: systemdCommands.forget(slug) };
    case "darwin":
      return { stop: launchdCommands.stop(slug, places), files, forget: [] };
    case "windows":
      return { stop: taskCommands.stop(slug), files, forget: [] };
  }
}

/** The command that asks the system for a service's state; `parseServiceState` reads the answer. */
export function statusCommand({ system, slug }: InstalledFiles, places: ServicePlaces): string[] {
  switch (system) {
    case "linux":
      return systemdCommands.status(slug);
    case "darwin":
      return launchdCommands.status(slug, places);
    case "windows":
      return taskCommands.status(slug);
  }
}
