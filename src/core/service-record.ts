import type { ServiceOptions, ServiceSystem } from "./service-options.ts";
import { isServiceSlug } from "./service-slug.ts";

/** What a service is, as it is on disk: written by install, read at every start and by uninstall, which removes it. */
export interface ServiceRecord {
  readonly version: 1;
  readonly slug: string;
  readonly system: ServiceSystem;
  readonly workspace: string;
  readonly claude: string | null;
  readonly claudeArguments: readonly string[];
  readonly resume: boolean;
  readonly watchdogSeconds: number | null;
  readonly freshAfterSeconds: number;
  /** Where the system has no limit of starts of its own, the service keeps one. */
  readonly startLimit: { readonly burst: number; readonly seconds: number } | null;
  readonly environment: Readonly<Record<string, string>>;
  /** The others that install wrote, each with the hash of its content: one that is something else now is not ours alone. */
  readonly files: readonly { readonly path: string; readonly hash: string }[];
}

export function recordOf(
  options: ServiceOptions,
  startLimit: ServiceRecord["startLimit"],
  files: ServiceRecord["files"],
): ServiceRecord {
  const { slug, system, workspace, claude, claudeArguments, resume, watchdog, freshAfter, environment } = options;
  return {
    version: 1,
    slug,
    system,
    workspace,
    claude,
    claudeArguments,
    resume,
    watchdogSeconds: watchdog === null ? null : watchdog / 1000,
    freshAfterSeconds: freshAfter / 1000,
    startLimit,
    environment,
    files,
  };
}

/** Undefined when it is not one of ours, or of a version to come. */
export function parseServiceRecord(text: string): ServiceRecord | undefined {
  try {
    const value = JSON.parse(text) as Partial<ServiceRecord> | null;
    if (value?.version !== 1 || typeof value.slug !== "string" || !isServiceSlug(value.slug)) return undefined;
    if (typeof value.workspace !== "string" || typeof value.resume !== "boolean") return undefined;
    if (!Array.isArray(value.claudeArguments) || !Array.isArray(value.files)) return undefined;
    if (typeof value.environment !== "object" || typeof value.freshAfterSeconds !== "number") return undefined;
    return value as ServiceRecord;
  } catch {
    return undefined;
  }
}
