/**
 * What an uninstall must know and cannot see in the text: `{"hooks": {}}` with our hook in it looks the same whether the empty
 * object was there before or not. Each settings file has one record, which all our programs share and which lasts as long as the
 * file contains anything of ours. The caller stores it and passes it to the next edit.
 */
export interface SettingsUndo {
  readonly version: 1;
  /** Set by an install that found no settings: the blank text of the file, or null for no file. */
  readonly blank?: { readonly text: string | null };
  /** Keys that we added. */
  readonly created: readonly SettingsPath[];
  /** Values that we replaced, as they were written. */
  readonly replaced: readonly { readonly path: SettingsPath; readonly text: string }[];
}

export type SettingsPath = readonly string[];

export const NOTHING_TO_UNDO: SettingsUndo = { version: 1, created: [], replaced: [] };

export function wasCreated(undo: SettingsUndo, path: SettingsPath): boolean {
  return undo.created.some((created) => isSamePath(created, path));
}

export function textReplacedAt(undo: SettingsUndo, path: SettingsPath): string | undefined {
  return undo.replaced.find((replaced) => isSamePath(replaced.path, path))?.text;
}

export function withCreated(undo: SettingsUndo, path: SettingsPath): SettingsUndo {
  return { ...undo, created: [...undo.created, path] };
}

export function withReplaced(undo: SettingsUndo, path: SettingsPath, text: string): SettingsUndo {
  return { ...undo, replaced: [...undo.replaced, { path, text }] };
}

/** Removes a path that is restored. */
export function withoutPath(undo: SettingsUndo, path: SettingsPath): SettingsUndo {
  return {
    ...undo,
    created: undo.created.filter((created) => !isSamePath(created, path)),
    replaced: undo.replaced.filter((replaced) => !isSamePath(replaced.path, path)),
  };
}

/** A record that is valid before and after an edit, in case writing the settings is interrupted. */
export function coveringBoth(
  before: SettingsUndo | undefined,
  after: SettingsUndo | undefined,
): SettingsUndo | undefined {
  if (!before || !after) return before ?? after;
  const created = before.created.filter((path) => !wasCreated(after, path));
  const replaced = before.replaced.filter(({ path }) => textReplacedAt(after, path) === undefined);
  const blank = after.blank ?? before.blank;
  const paths = { created: [...after.created, ...created], replaced: [...after.replaced, ...replaced] };
  return { version: 1, ...(blank ? { blank } : {}), ...paths };
}

/** Undefined when the stored value is not a record. Removing then relies on the structure alone. */
export function readSettingsUndo(stored: unknown): SettingsUndo | undefined {
  if (!isRecord(stored) || stored["version"] !== 1) return undefined;
  const { blank, created, replaced } = stored;
  if (!Array.isArray(created) || !created.every(isPath)) return undefined;
  if (!Array.isArray(replaced) || !replaced.every(isReplaced)) return undefined;
  if (blank === undefined) return { version: 1, created, replaced };
  return isBlank(blank) ? { version: 1, blank, created, replaced } : undefined;
}

function isSamePath(left: SettingsPath, right: SettingsPath): boolean {
  return left.length === right.length && left.every((key, at) => key === right[at]);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPath(value: unknown): value is SettingsPath {
  return Array.isArray(value) && value.every((key) => typeof key === "string");
}

function isReplaced(value: unknown): value is { path: SettingsPath; text: string } {
  return isRecord(value) && isPath(value["path"]) && typeof value["text"] === "string";
}

function isBlank(value: unknown): value is { text: string | null } {
  return isRecord(value) && (value["text"] === null || typeof value["text"] === "string");
}
