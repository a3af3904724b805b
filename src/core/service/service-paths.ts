import type { ServicePlaces, ServiceSystem } from "./service-options.ts";

/** All files of a service. The names are a stable interface, see docs/FORMAT.md. */
export interface ServicePaths {
  /** The service's record, read at every start. */
  readonly record: string;
  readonly log: string;
  /** The script that the system starts; not written when the system starts claude directly. */
  readonly wrapper: string;
  /** The file that registers the service with the system: unit, property list or task. */
  readonly unit: string;
}

export function servicePaths(system: ServiceSystem, slug: string, places: ServicePlaces): ServicePaths {
  const state = `${places.stateHome}/ai-runtime/services`;
  const units: Record<ServiceSystem, string> = {
    linux: `${places.configHome}/systemd/user/${unitName(slug)}`,
    darwin: `${places.home}/Library/LaunchAgents/${launchdLabel(slug)}.plist`,
    windows: `${state}/${slug}.xml`,
  };
  const wrapper = `${places.home}/.ai-runtime/service/${slug}-resume-wrapper.${system === "windows" ? "cmd" : "sh"}`;
  const paths = { record: `${state}/${slug}.json`, log: `${state}/${slug}.log`, wrapper, unit: units[system] };
  if (system !== "windows") return paths;
  const { record, log, unit } = paths;
  return { record: backslashes(record), log: backslashes(log), wrapper: backslashes(wrapper), unit: backslashes(unit) };
}

const backslashes = (path: string): string => path.replaceAll("/", "\\");

export const unitName = (slug: string): string => `ai-runtime-${slug}.service`;
export const launchdLabel = (slug: string): string => `ai-runtime.${slug}`;
export const taskName = (slug: string): string => `ai-runtime\\${slug}`;
