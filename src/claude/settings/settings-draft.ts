import {
  childrenOf,
  findAtPath,
  parseJsonDocument,
  problemAt,
  type JsonNode,
  type JsonProblem,
} from "./json-document.ts";
import { appendItem, removeItem, replaceWithText } from "./json-edit.ts";
import { detectLineBreak } from "./json-style.ts";
import {
  NOTHING_TO_UNDO,
  textReplacedAt,
  wasCreated,
  withCreated,
  withoutPath,
  withReplaced,
  type SettingsPath,
  type SettingsUndo,
} from "./settings-undo.ts";

/** A settings text being edited, without its byte order mark, and how to undo the edits. */
export interface SettingsDraft {
  readonly text: string;
  /** Undefined: we edited the file before, and the record of that edit is lost. */
  readonly undo: SettingsUndo | undefined;
}

export type DraftOutcome =
  | { readonly kind: "draft"; readonly draft: SettingsDraft }
  | { readonly kind: "invalid"; readonly problem: JsonProblem };

const BRACKETS = { object: "{}", array: "[]" } as const;

export function rootOfDraft(draft: SettingsDraft): JsonNode {
  const document = parseJsonDocument(draft.text);
  if (document.kind !== "parsed") throw new Error("an edit left the settings unreadable");
  return document.root;
}

/** Turns a blank text into an empty object. */
export function startBlankDraft(text: string | undefined): SettingsDraft {
  const before = text ?? "";
  return {
    text: `${before}{}${detectLineBreak(before)}`,
    undo: { ...NOTHING_TO_UNDO, blank: { text: text ?? null } },
  };
}

/** The blank text that the draft started from, when only an empty object is left; null when there was no file. */
export function originalBlank(draft: SettingsDraft): string | null | undefined {
  return /^\s*\{\s*\}\s*$/.test(draft.text) ? draft.undo?.blank?.text : undefined;
}

/** Ensures a container at the path. It replaces `null` and an empty container of the wrong kind. */
export function ensureContainer(draft: SettingsDraft, path: SettingsPath, kind: "object" | "array"): DraftOutcome {
  const root = rootOfDraft(draft);
  const node = findAtPath(root, path);
  if (!node) {
    const parent = findAtPath(root, path.slice(0, -1));
    if (!parent) throw new Error(`cannot create ${path.join(".")}`);
    const value = kind === "object" ? {} : [];
    const text = appendItem(draft.text, parent, { key: path.at(-1) ?? "", value });
    return { kind: "draft", draft: { text, undo: draft.undo && withCreated(draft.undo, path) } };
  }
  if (node.type === kind) return { kind: "draft", draft };
  const isEmpty = node.type === "null" || ((node.type === "object" || node.type === "array") && !node.children?.length);
  if (!isEmpty) {
    const message = `"${path.join(".")}" is ${nameOf(node)}, but Claude expects ${kind === "object" ? "an object" : "a list"}`;
    return { kind: "invalid", problem: problemAt(draft.text, node.offset, message) };
  }
  const before = draft.text.slice(node.offset, node.offset + node.length);
  const text = replaceWithText(draft.text, node, BRACKETS[kind]);
  return { kind: "draft", draft: { text, undo: draft.undo && withReplaced(draft.undo, path, before) } };
}

/**
 * Removes an item, and every container that we created and that is now empty. Without a record, containers that this removal
 * emptied count as ours: Claude ignores empty ones.
 */
export function removeWithContainers(draft: SettingsDraft, item: JsonNode): SettingsDraft {
  const container = item.parent;
  if (!container) throw new Error("the whole file cannot be removed");
  const isLast = childrenOf(container).length === 1;
  const place = indexesOf(container);
  const path = pathOf(container);
  const after: SettingsDraft = { ...draft, text: removeItem(draft.text, item) };
  if (!isLast || path.length === 0) return after;

  const empty = nodeAt(rootOfDraft(after), place);
  const replaced = after.undo && textReplacedAt(after.undo, path);
  if (replaced !== undefined) {
    return { text: replaceWithText(after.text, empty, replaced), undo: after.undo && withoutPath(after.undo, path) };
  }
  if (after.undo && !wasCreated(after.undo, path)) return after;
  const holder = empty.parent?.type === "property" ? empty.parent : empty;
  return removeWithContainers({ ...after, undo: after.undo && withoutPath(after.undo, path) }, holder);
}

function nameOf(node: JsonNode): string {
  switch (node.type) {
    case "object":
      return "an object";
    case "array":
      return "a list";
    default:
      return `a ${node.type}`;
  }
}

/** The keys that lead to a node. Array positions are left out, because we record only keys. */
function pathOf(node: JsonNode): string[] {
  const path: string[] = [];
  for (let at: JsonNode | undefined = node; at; at = at.parent) {
    if (at.type === "property") path.unshift(String(at.children?.[0]?.value));
  }
  return path;
}

/** The position of a node, by which it is found again after an edit further back. */
function indexesOf(node: JsonNode): number[] {
  return node.parent ? [...indexesOf(node.parent), childrenOf(node.parent).indexOf(node)] : [];
}

function nodeAt(root: JsonNode, indexes: readonly number[]): JsonNode {
  return indexes.reduce((node, index) => childrenOf(node)[index] ?? node, root);
}
