import { programOfHook } from "../hooks/hook-command.ts";
import { sessionEndEvent } from "../hooks/hook-event.ts";
import type { HookEntry } from "../hooks/hook-entries.ts";
import { asObject, type JsonObject } from "../json-object.ts";

/** Whether the settings call our hook when a session ends. If so, cclaude needs no hooks of its own for this run. */
export function callsOurHooks(settings: JsonObject): boolean {
  const groups = asObject(settings["hooks"])?.[sessionEndEvent];
  return listOf(groups)
    .flatMap((group) => listOf(group["hooks"]))
    .some((hook) => programOfHook(hook) !== undefined);
}

export const switchesHooksOff = (settings: JsonObject): boolean => settings["disableAllHooks"] === true;

/**
 * Whether a rule is relative to the directory of its settings file: `Edit(/src/**)`, and paths of the sandbox. In a file of ours it
 * would permit or deny something else.
 */
export function dependsOnPlace(settings: JsonObject): boolean {
  const rules = Object.values(asObject(settings["permissions"]) ?? {}).flatMap((value): unknown[] => [value].flat());
  const isRelative = (rule: unknown): boolean => typeof rule === "string" && /^(?!Bash\()[^(]*\(\/(?!\/)/.test(rule);
  return rules.some(isRelative) || asObject(settings["sandbox"])?.["filesystem"] !== undefined;
}

/** Adds our hooks to the user's settings for one run. Every other key is unchanged. */
export function addRunHooks(settings: JsonObject, entries: readonly HookEntry[]): JsonObject {
  const hooks: JsonObject = { ...asObject(settings["hooks"]) };
  for (const { event, matcher, hook } of entries) {
    const present = hooks[event];
    hooks[event] = [...(Array.isArray(present) ? (present as unknown[]) : []), { matcher, hooks: [hook] }];
  }
  return { ...settings, hooks };
}

const listOf = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.map((item) => asObject(item) ?? {}) : [];
