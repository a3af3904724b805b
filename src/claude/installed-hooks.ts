import type { HookProgram } from "./hook-command.ts";
import { findProperty, type JsonNode, parseJsonDocument } from "./json-document.ts";
import { findOwnHooks } from "./own-hooks.ts";

/** The events for which a settings file calls one of our programs; none when it cannot be read. */
export function listHookEvents(text: string | undefined, program: HookProgram): string[] {
  const root = rootOf(text);
  if (!root) return [];
  return findOwnHooks(root)
    .filter((hook) => hook.program === program)
    .map((hook) => hook.event);
}

/** Whether a settings file switches all hooks off, whosever they are. */
export function areHooksDisabled(text: string | undefined): boolean {
  const root = rootOf(text);
  return root !== undefined && findProperty(root, "disableAllHooks")?.value === true;
}

function rootOf(text: string | undefined): JsonNode | undefined {
  const document = parseJsonDocument((text ?? "").replace(/^\uFEFF/, ""));
  return document.kind === "parsed" ? document.root : undefined;
}
