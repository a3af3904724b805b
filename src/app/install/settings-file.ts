import type { SettingsEdit } from "../../claude/settings/settings.ts";
import { readSettingsUndo, type SettingsUndo } from "../../claude/settings/settings-undo.ts";
import { Failure } from "../../core/failure.ts";
import { copyFile, makeDirectory, removeFile, replaceFile } from "../../io/durable/durable.ts";
import { fileMode, parentOf, readBytes, readText } from "../../io/files/read-file.ts";
import { withLockOrFail } from "../../store/lock.ts";
import type { Environment } from "../environment.ts";

export interface SettingsFile {
  path: string;
  /** Undefined when the file does not exist. */
  text: string | undefined;
  /** How to undo our earlier edits of this file. */
  undo: SettingsUndo | undefined;
}

type ChangedSettings = Extract<SettingsEdit, { kind: "changed" }>;

const lockTimeoutMs = 5_000;

export async function withSettingsLock<T>({ paths }: Environment, body: () => T): Promise<T> {
  makeDirectory(paths.locks);
  const message = "another install or uninstall is running";
  return withLockOrFail(paths.settingsLock, body, { waitMilliseconds: lockTimeoutMs, message });
}

export function readSettingsFile(environment: Environment, path: string): SettingsFile {
  return { path, text: readExactText(path), undo: readRecords(environment)[path] };
}

/** Writes the edit, unless another program changed the file since it was read. Returns the path of the backup. */
export function writeSettingsFile(
  environment: Environment,
  file: SettingsFile,
  { text, undo, undoMeanwhile }: Pick<ChangedSettings, "text" | "undo" | "undoMeanwhile">,
): string | undefined {
  const { now } = environment;
  if (readExactText(file.path) !== file.text) {
    throw new Failure("locked", `another program just changed ${file.path}`, {
      hint: "Nothing was changed. Run the command again.",
    });
  }
  const backup = file.text === undefined ? undefined : backUp(environment, file.path, now());
  // The undo record is written before and after the edit, so that the edit can be undone exactly at any moment.
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

/** Fails on invalid UTF-8, because writing it back would lose bytes. Keeps the byte order mark. */
function readExactText(path: string): string | undefined {
  const bytes = readBytes(path);
  try {
    return bytes && new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const hint = "Nothing was changed. Save the file as UTF-8.";
    throw new Failure("failed", `${path} is not valid UTF-8`, { hint, cause });
  }
}

function backUp({ paths }: Environment, path: string, now: number): string {
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
    // Without the record, uninstall still recognizes our hooks by their command.
    return {};
  }
}
