import { readStatusLineCommand, statusLineCommand } from "../hooks/hook-command.ts";
import { childrenOf, findAtPath, problemAt, type JsonNode } from "./json-document.ts";
import { appendItem, replaceWithText, replaceWithValue } from "./json-edit.ts";
import { type DraftOutcome, removeWithContainers, rootOfDraft, type SettingsDraft } from "./settings-draft.ts";
import { textReplacedAt, withCreated, withoutPath, withReplaced } from "./settings-undo.ts";

const WHOLE = ["statusLine"];
const COMMAND = ["statusLine", "command"];

export function hasOwnStatusLine(draft: SettingsDraft): boolean {
  return ownCommand(draft) !== undefined;
}

/** Sets our command, which runs the user's command first. Every other key is unchanged. */
export function addStatusLine(draft: SettingsDraft, executable: string): DraftOutcome {
  const root = rootOfDraft(draft);
  const whole = findAtPath(root, WHOLE);
  if (!whole) {
    const value = { type: "command", command: statusLineCommand(executable, undefined) };
    const text = appendItem(draft.text, root, { key: "statusLine", value });
    const undo = draft.undo && withCreated(withoutPath(withoutPath(draft.undo, COMMAND), WHOLE), WHOLE);
    return { kind: "draft", draft: { text, undo } };
  }
  const command = findAtPath(root, COMMAND);
  const own = ownCommand(draft);
  if (whole.type === "null" || (whole.type === "object" && childrenOf(whole).length === 0)) {
    const value = { type: "command", command: statusLineCommand(executable, undefined) };
    const raw = draft.text.slice(whole.offset, whole.offset + whole.length);
    const undo = draft.undo && withReplaced(withoutPath(withoutPath(draft.undo, COMMAND), WHOLE), WHOLE, raw);
    return { kind: "draft", draft: { text: replaceWithValue(draft.text, whole, value), undo } };
  }
  if (command?.type !== "string") {
    const message = '"statusLine" is not an object with a command, so ours cannot run it';
    return { kind: "invalid", problem: problemAt(draft.text, whole.offset, message) };
  }
  const chained = own ? own.chained : String(command.value);
  const wanted = statusLineCommand(executable, chained);
  if (wanted === command.value) return { kind: "draft", draft };
  const text = replaceWithText(draft.text, command, JSON.stringify(wanted));
  if (own) return { kind: "draft", draft: { ...draft, text } };
  const raw = draft.text.slice(command.offset, command.offset + command.length);
  const undo = draft.undo && withReplaced(withoutPath(withoutPath(draft.undo, COMMAND), WHOLE), COMMAND, raw);
  return { kind: "draft", draft: { text, undo } };
}

/** Restores the user's command exactly as it was written, or removes the status line that we created. */
export function removeStatusLine(draft: SettingsDraft): SettingsDraft {
  const own = ownCommand(draft);
  if (!own) return draft;
  const { node, chained } = own;
  if (chained === undefined) {
    const whole = findAtPath(rootOfDraft(draft), WHOLE);
    const undo = draft.undo && withoutPath(draft.undo, WHOLE);
    const replaced = draft.undo && textReplacedAt(draft.undo, WHOLE);
    if (whole && replaced !== undefined) return { text: replaceWithText(draft.text, whole, replaced), undo };
    // It runs only our command, so we created it.
    return whole?.parent ? removeWithContainers({ ...draft, undo }, whole.parent) : draft;
  }
  const raw = draft.undo && textReplacedAt(draft.undo, COMMAND);
  const before = raw !== undefined && JSON.parse(raw) === chained ? raw : JSON.stringify(chained);
  return { text: replaceWithText(draft.text, node, before), undo: draft.undo && withoutPath(draft.undo, COMMAND) };
}

function ownCommand(draft: SettingsDraft): { node: JsonNode; chained: string | undefined } | undefined {
  const node = findAtPath(rootOfDraft(draft), COMMAND);
  const read = node?.type === "string" ? readStatusLineCommand(String(node.value)) : undefined;
  return node && read && { node, chained: read.chained };
}
