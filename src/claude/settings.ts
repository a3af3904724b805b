import { getNodeValue } from "jsonc-parser";
import type { HookProgram } from "./hook-command.ts";
import type { HookEntry } from "./hook-entries.ts";
import { childrenOf, findAtPath, parseJsonDocument, problemAt, type JsonProblem } from "./json-document.ts";
import { appendItem, replaceWithValue } from "./json-edit.ts";
import type { Json } from "./json-style.ts";
import { findOwnHooks, matchHooks, type OwnHook } from "./own-hooks.ts";
import {
  blankBehind,
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
 * Our hooks in Claude's `settings.json`, put in and taken out without touching a foreign byte. Each of them gets a matcher group
 * of its own; where the user has moved one, it is still found, by its command.
 *
 * Texts are the file's bytes decoded as UTF-8, byte order mark included.
 */
export type SettingsEdit =
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "changed";
      /** undefined: there was no file before us, and there should be none now. */
      readonly text: string | undefined;
      /** What was done, for people: "add Stop hook". */
      readonly summary: readonly string[];
      /** To be stored for the next edit of this file; undefined: there is nothing to store. */
      readonly undo: SettingsUndo | undefined;
      /** To be stored before the text is written: it holds for the old text too, if writing is interrupted. */
      readonly undoMeanwhile: SettingsUndo | undefined;
    }
  | ({ readonly kind: "invalid" } & JsonProblem);

const BYTE_ORDER_MARK = "\uFEFF";

/** The keys of a hook that are ours to set; others are the user's additions, and stay. */
const OUR_KEYS = ["type", "command", "args", "async", "timeout"] as const;

/** What an install puts in beside its hooks. */
export interface Additions {
  /** Programs whose hooks the new ones take the place of. */
  readonly replacing?: readonly HookProgram[];
  /** The executable to be the status line, in front of the command that is there. */
  readonly statusLine?: string;
}

/**
 * Adds the hooks, brings those that are there up to date, and drops those of the same programs that are no longer wanted.
 * `undo` is what the last edit of this file returned.
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
  // A record that outlived our hooks says nothing about this text; hooks without their record can only be guessed about.
  const isKnown = own.length > 0 || hasOwnStatusLine(opened.draft);
  let draft: SettingsDraft = isKnown ? { ...opened.draft, undo } : opened.draft;
  const summary: string[] = [];

  // From the end of the file to its beginning: an edit does not move what stands before it.
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

/** Removes our hooks, all of them or those of some programs, and what `undo` says was made for them. */
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
      // Taking out only makes the record smaller.
      const meanwhile = { kind: "changed", summary, undoMeanwhile: undo } as const;
      if (isLeft) return { ...meanwhile, text: markOf(text) + draft.text, undo: draft.undo };
      const blank = blankBehind(draft);
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
  // A group that holds nothing but this hook was made for it.
  const isAlone = list !== undefined && childrenOf(list).length === 1;
  return removeWithContainers(draft, isAlone && group ? group : hook.node);
}

function markOf(text: string | undefined): string {
  return text?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
}

function bodyOf(text: string | undefined): string {
  return (text ?? "").slice(markOf(text).length);
}
