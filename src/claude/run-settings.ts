import { programOfHook } from "./hook-command.ts";
import type { HookEntry } from "./hook-entries.ts";
import { asObject, type JsonObject } from "./json-object.ts";

/**
 * Whether settings call a hook of ours at the end of a session, that of either install: then all that cclaude needs to know
 * reaches it without more.
 */
export function callsOurHooks(settings: JsonObject): boolean {
  const groups = asObject(settings["hooks"])?.["SessionEnd"];
  return listOf(groups)
    .flatMap((group) => listOf(group["hooks"]))
    .some((hook) => programOfHook(hook) !== undefined);
}

export const switchesHooksOff = (settings: JsonObject): boolean => settings["disableAllHooks"] === true;

/** The user's settings for one run with our hooks added to theirs; every other key stays as it is. */
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
