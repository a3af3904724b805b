import type { HookProgram } from "./hook-command.ts";
import { parseJsonDocument } from "./json-document.ts";
import { findOwnHooks } from "./own-hooks.ts";

/** The events for which a settings file calls one of our programs; none when it cannot be read. */
export function listHookEvents(text: string | undefined, program: HookProgram): string[] {
  const document = parseJsonDocument((text ?? "").replace(/^\uFEFF/, ""));
  if (document.kind !== "parsed") return [];
  return findOwnHooks(document.root)
    .filter((hook) => hook.program === program)
    .map((hook) => hook.event);
}
