import { type Check, has, isAmount, isFlag, isText, isTexts, orNull } from "../check-record.ts";
import type { ServiceOptions, ServiceSystem } from "./service-options.ts";
import { isServiceSlug } from "./service-slug.ts";

/** The file that describes a service: install writes it, every start reads it, uninstall reads and removes it. */
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
  /** Set when the system has no start limit of its own; the service then enforces this one. */
  readonly startLimit: { readonly burst: number; readonly seconds: number } | null;
  readonly environment: Readonly<Record<string, string>>;
  /** The other files that install wrote, with the hash of their content: another hash means that the user changed the file. */
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

const isShaped = has({
  version: (value) => value === 1,
  slug: (value) => typeof value === "string" && isServiceSlug(value),
  system: (value) => value === "linux" || value === "darwin" || value === "windows",
  workspace: isText,
  claude: orNull(isText),
  claudeArguments: isTexts,
  resume: isFlag,
  watchdogSeconds: orNull(isAmount),
  freshAfterSeconds: isAmount,
  startLimit: orNull(has({ burst: isAmount, seconds: isAmount })),
  environment: (value) => has({})(value) && isTexts(Object.values(value as object)),
  files: (value) => Array.isArray(value) && value.every(has({ path: isText, hash: isText })),
} satisfies Record<keyof ServiceRecord, Check>);

/** Undefined when any field is invalid, or when a newer version wrote the record. */
export function parseServiceRecord(text: string): ServiceRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isShaped(value) ? (value as ServiceRecord) : undefined;
  } catch {
    return undefined;
  }
}
