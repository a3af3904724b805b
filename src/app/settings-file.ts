import type { SettingsEdit } from "../claude/settings.ts";
import { readSettingsUndo, type SettingsUndo } from "../claude/settings-undo.ts";
import { Failure } from "../core/failure.ts";
import { copyFile, makeDirectory, removeFile, replaceFile } from "../io/durable.ts";
import { fileMode, parentOf, readBytes, readText } from "../io/read-file.ts";
import { withLock } from "../store/lock.ts";
import type { Environment } from "./environment.ts";

export interface SettingsFile {
  path: string;
  /** Undefined when there is no file. */
  text: string | undefined;
  /** What our earlier edits of this file did to it. */
  undo: SettingsUndo | undefined;
}

type ChangedSettings = Extract<SettingsEdit, { kind: "changed" }>;

const patience = 5_000;

export async function withSettings<T>({ paths }: Environment, body: () => T): Promise<T> {
  makeDirectory(paths.locks);
  const locked = await withLock(paths.settingsLock, body, { waitMilliseconds: patience });
  if (locked.state === "done") return locked.value;
  throw new Failure("locked", "another install or uninstall is running", { hint: "Try again in a moment." });
}

export function readSettingsFile(environment: Environment, path: string): SettingsFile {
  return { path, text: readExactText(path), undo: readRecords(environment)[path] };
}

/** Makes the edit, unless somebody else has changed the file since it was read. Returns where the old is kept. */
export function writeSettingsFile(
  environment: Environment,
  file: SettingsFile,
  { text, undo, undoMeanwhile }: Pick<ChangedSettings, "text" | "undo" | "undoMeanwhile">,
): string | undefined {
  const { now } = environment;
  if (readExactText(file.path) !== file.text) {
    throw new Failure("locked", `${file.path} was changed by another program just now`, {
      hint: "Nothing was changed. Run the command again.",
    });
  }
  const backup = file.text === undefined ? undefined : keepOld(environment, file.path, now());
  // Around the edit, so that there is no moment at which it could not be undone exactly.
  writeRecord(environment, file.path, undoMeanwhile);
  if (text === undefined) {
    removeFile(file.path);
  } else {
    makeDirectory(parentOf(file.path), { shared: true });
    replaceFile(file.path, text, { mode: fileMode(file.path) ?? 0o600 });
  }
  if (JSON.stringify(undo) !== JSON.stringify(undoMeanwhile)) writeRecord(environment, file.path, undo);
  return backup;
}

function writeRecord(environment: Environment, path: string, undo: SettingsUndo | undefined): void {
  const { paths } = environment;
  makeDirectory(paths.root, { shared: true });
  replaceFile(paths.installRecords, JSON.stringify({ ...readRecords(environment), [path]: undo }, null, 2));
}

/** Fails rather than to replace what it cannot read; the byte order mark is part of the text. */
function readExactText(path: string): string | undefined {
  const bytes = readBytes(path);
  try {
    return bytes && new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const hint = "Nothing was changed. Save the file as UTF-8.";
    throw new Failure("failed", `${path} is not valid UTF-8`, { hint, cause });
  }
}

function keepOld({ paths }: Environment, path: string, now: number): string {
  const directory = paths.settingsBackups;
  makeDirectory(directory);
  const backup = `${directory}/${new Date(now).toISOString().replaceAll(":", "-")}.json`;
  copyFile(path, backup);
  return backup;
}

function readRecords({ paths }: Environment): Record<string, SettingsUndo | undefined> {
  const text = readText(paths.installRecords) ?? "{}";
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    return Object.fromEntries(Object.entries(value).map(([path, undo]) => [path, readSettingsUndo(undo)]));
  } catch {
    // Without the record the hooks are still found and removed by their shape.
    return {};
  }
}
