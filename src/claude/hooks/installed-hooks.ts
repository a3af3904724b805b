import { getNodeValue } from "jsonc-parser";
import type { HookProgram } from "./hook-command.ts";
import { findProperty, type JsonNode, parseJsonDocument } from "../settings/json-document.ts";
import { findOwnHooks } from "./own-hooks.ts";

/** The events for which a settings file calls this program; none when the file cannot be parsed. */
export function listHookEvents(text: string | undefined, program: HookProgram): string[] {
  const root = rootOf(text);
  if (!root) return [];
  return findOwnHooks(root)
    .filter((hook) => hook.program === program)
    .map((hook) => hook.event);
}

export interface InstalledHook {
  readonly program: HookProgram;
  readonly command: string;
  /** Undefined: a shell runs the command. */
  readonly args: readonly string[] | undefined;
}

/** Our first hook for an event in a settings file; without an event, our first hook. */
export function installedHook(text: string | undefined, event?: string): InstalledHook | undefined {
  const root = rootOf(text);
  const own = root && findOwnHooks(root).find((hook) => event === undefined || hook.event === event);
  if (!own) return undefined;
  const { command, args } = getNodeValue(own.node) as { command: string; args?: string[] };
  return { program: own.program, command, args };
}

/** Whether a settings file disables all hooks. */
export function areHooksDisabled(text: string | undefined): boolean {
  const root = rootOf(text);
  return root !== undefined && findProperty(root, "disableAllHooks")?.value === true;
}

/** Whether a settings file enables our Claude Code plugin, which has the same hooks. */
export function enablesOwnPlugin(text: string | undefined): boolean {
  const root = rootOf(text);
  const plugins = root && findProperty(root, "enabledPlugins");
  const values: unknown = plugins && getNodeValue(plugins);
  if (typeof values !== "object" || values === null) return false;
  return Object.entries(values).some(([name, enabled]) => name.startsWith("ai-runtime@") && enabled === true);
}

function rootOf(text: string | undefined): JsonNode | undefined {
  const document = parseJsonDocument((text ?? "").replace(/^\uFEFF/, ""));
  return document.kind === "parsed" ? document.root : undefined;
}
