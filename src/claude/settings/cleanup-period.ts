import { findProperty, type JsonProblem, parseJsonDocument } from "./json-document.ts";
import { appendItem, replaceWithValue } from "./json-edit.ts";
import { rootOfDraft, startBlankDraft } from "./settings-draft.ts";

/** Claude's default. */
export const defaultCleanupDays = 30;

const key = "cleanupPeriodDays";

/** After how many days Claude deletes transcripts; undefined when the settings have no value or cannot be parsed. */
export function readCleanupDays(text: string | undefined): number | undefined {
  const document = parseJsonDocument((text ?? "").replace(/^\uFEFF/, ""));
  const value: unknown = document.kind === "parsed" ? findProperty(document.root, key)?.value : undefined;
  return typeof value === "number" ? value : undefined;
}

/** Sets the number of days and changes no other byte; a problem when the settings cannot be edited. */
export function withCleanupDays(text: string | undefined, days: number): string | JsonProblem {
  const mark = text?.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = (text ?? "").slice(mark.length);
  const document = parseJsonDocument(body);
  if (document.kind === "invalid") return document.problem;
  const draft = document.kind === "blank" ? startBlankDraft(body) : { text: body, undo: undefined };
  const root = rootOfDraft(draft);
  if (root.type !== "object") return { line: 1, column: 1, message: "the settings are not an object" };
  const present = findProperty(root, key);
  const edited = present
    ? replaceWithValue(draft.text, present, days)
    : appendItem(draft.text, root, { key, value: days });
  return mark + edited;
}
