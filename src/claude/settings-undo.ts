/**
 * What removing needs to know and the text cannot tell: `{"hooks": {}}` with our hook in it looks the same whether the empty
 * object was there before or not. One record belongs to one settings file, whichever of our programs edited it; it stays as long
 * as anything of ours is in the file. Whoever adds keeps it beside the file's path, and hands it back to the next add or remove.
 */
export interface SettingsUndo {
  readonly version: 1;
  /** Set by the add that found no settings: the blank text there was, or null for no file. */
  readonly blank?: { readonly text: string | null };
  /** Keys that were not there. */
  readonly created: readonly SettingsPath[];
  /** Values that had to make room, as they were written. */
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

/** Forgets a path that is back as it was. */
export function withoutPath(undo: SettingsUndo, path: SettingsPath): SettingsUndo {
  return {
    ...undo,
    created: undo.created.filter((created) => !isSamePath(created, path)),
    replaced: undo.replaced.filter((replaced) => !isSamePath(replaced.path, path)),
  };
}

/** What is right before an edit and after it: whichever of the two texts is there when it is read, nothing of ours is missing. */
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

/** Reads a stored record back; anything else than one is nothing, and removing falls back to the structure. */
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
