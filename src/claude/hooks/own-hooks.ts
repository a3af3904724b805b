import { getNodeValue } from "jsonc-parser";
import { programOfHook, type HookProgram } from "./hook-command.ts";
import type { HookEntry } from "./hook-entries.ts";
import { childrenOf, findProperty, type JsonNode } from "../settings/json-document.ts";

/** One of our hooks in a settings file. */
export interface OwnHook {
  readonly program: HookProgram;
  readonly event: string;
  readonly matcher: string;
  readonly node: JsonNode;
}

export interface HookMatch {
  readonly present: readonly { readonly hook: OwnHook; readonly entry: HookEntry }[];
  readonly missing: readonly HookEntry[];
  /** Our hooks that are not wanted. */
  readonly stale: readonly OwnHook[];
}

/** In the order of the file. Values of an unexpected type are skipped. */
export function findOwnHooks(root: JsonNode): OwnHook[] {
  return propertiesOf(root)
    .filter(({ key }) => key === "hooks")
    .flatMap(({ value }) => propertiesOf(value))
    .flatMap(({ key: event, value: groups }) =>
      elementsOf(groups).flatMap((group) => {
        const matcher = findProperty(group, "matcher")?.value;
        return propertiesOf(group)
          .filter(({ key }) => key === "hooks")
          .flatMap(({ value }) => elementsOf(value))
          .flatMap((node) => {
            const program = programOfHook(getNodeValue(node));
            return program ? [{ program, event, matcher: typeof matcher === "string" ? matcher : "", node }] : [];
          });
      }),
    );
}

/** Compares the present hooks with the wanted ones, for the programs of the wanted hooks and those that they replace. */
export function matchHooks(
  own: readonly OwnHook[],
  wanted: readonly HookEntry[],
  replacing: readonly HookProgram[] = [],
): HookMatch {
  const programs = new Set([...wanted.map(ownerOf), ...replacing]);
  const rest = own.filter(({ program }) => programs.has(program));
  const present: { hook: OwnHook; entry: HookEntry }[] = [];
  const missing: HookEntry[] = [];
  for (const entry of wanted) {
    const at = rest.findIndex((hook) => isSamePlace(hook, entry));
    const hook = rest[at];
    if (hook) {
      rest.splice(at, 1);
      present.push({ hook, entry });
    } else {
      missing.push(entry);
    }
  }
  return { present, missing, stale: rest };
}

function ownerOf(entry: HookEntry): HookProgram {
  const program = programOfHook(entry.hook);
  // A hook that we do not recognize could never be removed.
  if (!program) throw new TypeError(`not a hook command of ours: ${entry.hook.command}`);
  return program;
}

function isSamePlace(hook: OwnHook, entry: HookEntry): boolean {
  return (
    hook.program === ownerOf(entry) &&
    hook.event === entry.event &&
    (hook.matcher === entry.matcher || (matchesAll(hook.matcher) && matchesAll(entry.matcher)))
  );
}

function matchesAll(matcher: string): boolean {
  return matcher === "" || matcher === "*";
}

function propertiesOf(node: JsonNode): { key: string; value: JsonNode }[] {
  if (node.type !== "object") return [];
  return childrenOf(node).flatMap((property) => {
    const [key, value] = property.children ?? [];
    return key && value ? [{ key: String(key.value), value }] : [];
  });
}

function elementsOf(node: JsonNode): readonly JsonNode[] {
  return node.type === "array" ? childrenOf(node) : [];
}
