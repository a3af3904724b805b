import { getNodeValue } from "jsonc-parser";
import type { HookProgram } from "../hooks/hook-command.ts";
import type { HookEntry } from "../hooks/hook-entries.ts";
import { childrenOf, findAtPath, parseJsonDocument, problemAt, type JsonProblem } from "./json-document.ts";
import { appendItem, replaceWithValue } from "./json-edit.ts";
import type { Json } from "./json-style.ts";
import { findOwnHooks, matchHooks, type OwnHook } from "../hooks/own-hooks.ts";
import {
  originalBlank,
  ensureContainer,
  removeWithContainers,
  rootOfDraft,
  startBlankDraft,
  type DraftOutcome,
  type SettingsDraft,
} from "./settings-draft.ts";
import { addStatusLine, hasOwnStatusLine, removeStatusLine } from "./settings-status-line.ts";
import { coveringBoth, NOTHING_TO_UNDO, type SettingsUndo } from "./settings-undo.ts";

/**
 * Adds and removes our hooks in Claude's `settings.json` without changing any other byte. Each hook gets its own matcher group. A
 * hook that the user moved is still found by its command.
 *
 * Texts are the file's bytes decoded as UTF-8, including the byte order mark.
 */
export type SettingsEdit =
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "changed";
      /** Undefined: we created the file, and it should be removed. */
      readonly text: string | undefined;
      /** What changed, for the user: "add Stop hook". */
      readonly summary: readonly string[];
      /** The caller stores this for the next edit of the file; undefined: nothing to store. */
      readonly undo: SettingsUndo | undefined;
      /** The caller stores this before it writes the text. It is also valid for the old text, if writing is interrupted. */
      readonly undoMeanwhile: SettingsUndo | undefined;
    }
  | ({ readonly kind: "invalid" } & JsonProblem);

const BYTE_ORDER_MARK = "\uFEFF";

/** The keys of a hook that we set. The user may add others, which stay. */
const OUR_KEYS = ["type", "command", "args", "async", "timeout"] as const;

/** What an install adds besides hooks. */
export interface Additions {
  /** Programs whose hooks the new hooks replace. */
  readonly replacing?: readonly HookProgram[];
  /** The executable of our status line, which runs the user's status line first. */
  readonly statusLine?: string;
}

/**
 * Adds the hooks, updates those already present, and removes hooks of the same programs that are no longer wanted.
 * `undo` is the record that the last edit of this file returned.
 */
export function addHooks(
  text: string | undefined,
  entries: readonly HookEntry[],
  undo?: SettingsUndo | undefined,
  { replacing = [], statusLine }: Additions = {},
): SettingsEdit {
  const opened = openSettings(text);
  if (opened.kind === "invalid") return { kind: "invalid", ...opened.problem };
  const own = findOwnHooks(rootOfDraft(opened.draft));
  // Without our hooks in the file, an old record does not describe this text.
  const isKnown = own.length > 0 || hasOwnStatusLine(opened.draft);
  let draft: SettingsDraft = isKnown ? { ...opened.draft, undo } : opened.draft;
  const summary: string[] = [];

  // From the end of the file to its start, because an edit moves only the text after it.
  for (const { hook, entry } of matchHooks(own, entries).present.toSorted(
    (a, b) => b.hook.node.offset - a.hook.node.offset,
  )) {
    const updated = updateHook(draft, hook, entry);
    if (updated.text !== draft.text) summary.unshift(`update ${entry.event} hook`);
    draft = updated;
  }
  for (const entry of matchHooks(own, entries).missing) {
    const added = addHook(draft, entry);
    if (added.kind === "invalid") return { kind: "invalid", ...added.problem };
    draft = added.draft;
    summary.push(`add ${entry.event} hook`);
  }
  for (;;) {
    const stale = matchHooks(findOwnHooks(rootOfDraft(draft)), entries, replacing).stale[0];
    if (!stale) break;
    draft = removeHook(draft, stale);
    summary.push(`remove ${stale.event} hook${replacing.includes(stale.program) ? ` of ${stale.program}` : ""}`);
  }
  if (statusLine !== undefined) {
    const added = addStatusLine(draft, statusLine);
    if (added.kind === "invalid") return { kind: "invalid", ...added.problem };
    if (added.draft.text !== draft.text) summary.push("set the status line");
    draft = added.draft;
  }
  if (summary.length === 0) return { kind: "unchanged" };
  const undoMeanwhile = isKnown ? coveringBoth(undo, draft.undo) : draft.undo;
  return { kind: "changed", text: markOf(text) + draft.text, summary, undo: draft.undo, undoMeanwhile };
}

/** Removes the hooks of these programs, and the containers that `undo` says we created for them. */
export function removeHooks(
  text: string | undefined,
  undo?: SettingsUndo | undefined,
  programs: readonly HookProgram[] = ["session-snapshot", "ai-runtime"],
): SettingsEdit {
  const document = parseJsonDocument(bodyOf(text));
  if (document.kind === "invalid") return { kind: "invalid", ...document.problem };
  if (document.kind === "blank") return { kind: "unchanged" };
  let draft: SettingsDraft = { text: bodyOf(text), undo };
  const summary: string[] = [];
  if (programs.includes("ai-runtime") && hasOwnStatusLine(draft)) {
    draft = removeStatusLine(draft);
    summary.push("put the status line back");
  }
  for (;;) {
    const own = findOwnHooks(rootOfDraft(draft));
    const hook = own.find(({ program }) => programs.includes(program));
    if (!hook) {
      if (summary.length === 0) return { kind: "unchanged" };
      const isLeft = own.length > 0 || hasOwnStatusLine(draft);
      // Removing only shrinks the record, so the old one is valid for both texts.
      const meanwhile = { kind: "changed", summary, undoMeanwhile: undo } as const;
      if (isLeft) return { ...meanwhile, text: markOf(text) + draft.text, undo: draft.undo };
      const blank = originalBlank(draft);
      const after = blank === null ? undefined : markOf(text) + (blank ?? draft.text);
      return { ...meanwhile, text: after, undo: undefined };
    }
    draft = removeHook(draft, hook);
    summary.push(`remove ${hook.event} hook`);
  }
}

function openSettings(text: string | undefined): DraftOutcome {
  const body = bodyOf(text);
  const document = parseJsonDocument(body);
  if (document.kind === "invalid") return document;
  if (document.kind === "blank")
    return { kind: "draft", draft: startBlankDraft(text === undefined ? undefined : body) };
  if (document.root.type !== "object") {
    const message = "the settings are not an object";
    return { kind: "invalid", problem: problemAt(body, document.root.offset, message) };
  }
  return { kind: "draft", draft: { text: body, undo: NOTHING_TO_UNDO } };
}

function addHook(draft: SettingsDraft, entry: HookEntry): DraftOutcome {
  const path = ["hooks", entry.event];
  const withHooks = ensureContainer(draft, ["hooks"], "object");
  if (withHooks.kind === "invalid") return withHooks;
  const withEvent = ensureContainer(withHooks.draft, path, "array");
  if (withEvent.kind === "invalid") return withEvent;
  const list = findAtPath(rootOfDraft(withEvent.draft), path);
  if (!list) throw new Error(`no list at ${path.join(".")}`);
  const value: Json = { matcher: entry.matcher, hooks: [{ ...entry.hook }] };
  return { kind: "draft", draft: { ...withEvent.draft, text: appendItem(withEvent.draft.text, list, { value }) } };
}

function updateHook(draft: SettingsDraft, hook: OwnHook, entry: HookEntry): SettingsDraft {
  const present: Record<string, Json> = getNodeValue(hook.node);
  const wanted: Record<string, Json> = { ...entry.hook };
  if (OUR_KEYS.every((key) => JSON.stringify(present[key]) === JSON.stringify(wanted[key]))) return draft;
  const additions = Object.entries(present).filter(([key]) => !OUR_KEYS.some((ours) => ours === key));
  const value = { ...wanted, ...Object.fromEntries(additions) };
  return { ...draft, text: replaceWithValue(draft.text, hook.node, value) };
}

function removeHook(draft: SettingsDraft, hook: OwnHook): SettingsDraft {
  const list = hook.node.parent;
  const group = list?.parent?.parent;
  // We created a group that contains only this hook.
  const isAlone = list !== undefined && childrenOf(list).length === 1;
  return removeWithContainers(draft, isAlone && group ? group : hook.node);
}

function markOf(text: string | undefined): string {
  return text?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
}

function bodyOf(text: string | undefined): string {
  return (text ?? "").slice(markOf(text).length);
}
