import type { ContinuationSettings } from "./continuation.ts";
import { type DetachKey, parseDetachKey, usualDetachKey } from "./detach-key.ts";
import { parseQuietHours } from "./quiet-hours.ts";

export interface HostSettings {
  readonly detachKey: DetachKey;
  readonly continuation: ContinuationSettings;
}

export interface HostSettingsRead {
  readonly settings: HostSettings;
  /** One sentence for each value that could not be used; the default holds in its place. */
  readonly problems: readonly string[];
}

type Fields = Record<string, unknown>;

/** `config.json` and the environment, which wins; a bad value is reported and never guessed. */
export function readHostSettings(
  file: string | undefined,
  environment: Record<string, string | undefined>,
): HostSettingsRead {
  const problems: string[] = [];
  const fields = parse(file);
  const read = <T>(
    key: string,
    variable: string,
    take: (value: unknown) => T | undefined,
    must: string,
  ): T | undefined => {
    const given = environment[variable];
    const value = given ? given : fields[key];
    if (value === undefined) return undefined;
    const taken = take(value);
    if (taken === undefined) problems.push(`${given ? variable : `config.json: ${key}`} must be ${must}`);
    return taken;
  };
  const detachKey = read(
    "detachKey",
    "AI_RUNTIME_DETACH_KEY",
    (value) => (typeof value === "string" ? parseDetachKey(value) : undefined),
    `a key like "ctrl-]" or "ctrl-b d"; using ${usualDetachKey.name}`,
  );
  return {
    settings: {
      detachKey: detachKey ?? usualDetachKey,
      continuation: {
        isOn: read("typeContinuation", "AI_RUNTIME_TYPE_CONTINUATION", asSwitch, "true or false; using true") ?? true,
        quietHours: read(
          "quietHours",
          "AI_RUNTIME_QUIET_HOURS",
          (value) => (typeof value === "string" ? parseQuietHours(value) : undefined),
          'hours like "22:00-07:00"; there are none',
        ),
        after: read("continueAfterSeconds", "AI_RUNTIME_CONTINUE_AFTER_SECONDS", asMilliseconds, "a number of seconds"),
      },
    },
    problems,
  };
}

function asSwitch(value: unknown): boolean | undefined {
  if (value === true || value === "1" || value === "true") return true;
  return value === false || value === "0" || value === "false" ? false : undefined;
}

function asMilliseconds(value: unknown): number | undefined {
  const seconds = typeof value === "string" ? Number(value) : value;
  return typeof seconds === "number" && seconds >= 0 && seconds <= 86_400 ? seconds * 1_000 : undefined;
}

function parse(text: string | undefined): Fields {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? (value as Fields) : {};
  } catch {
    return {};
  }
}
