import { type DetachKey, parseDetachKey, usualDetachKey } from "./detach-key.ts";

export interface HostSettings {
  readonly detachKey: DetachKey;
}

export interface HostSettingsRead {
  readonly settings: HostSettings;
  /** One sentence for each value that could not be used; the default holds in its place. */
  readonly problems: readonly string[];
}

/** `config.json` and the environment, which wins; a bad value is reported and never guessed. */
export function readHostSettings(
  file: string | undefined,
  environment: Record<string, string | undefined>,
): HostSettingsRead {
  const problems: string[] = [];
  const variable = environment["AI_RUNTIME_DETACH_KEY"];
  const [place, value] = variable
    ? ["AI_RUNTIME_DETACH_KEY", variable]
    : ["config.json: detachKey", fields(file)["detachKey"]];
  const detachKey = typeof value === "string" ? parseDetachKey(value) : undefined;
  if (value !== undefined && !detachKey) {
    problems.push(`${place} must be a key like "ctrl-]" or "ctrl-b d"; using ${usualDetachKey.name}`);
  }
  return { settings: { detachKey: detachKey ?? usualDetachKey }, problems };
}

function fields(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
