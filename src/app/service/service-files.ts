import { Failure } from "../../core/failure.ts";
import type { PlannedFile } from "../../core/service/service-options.ts";
import { copyFile, makeDirectory, removeFile, replaceFile } from "../../io/durable/durable.ts";
import { removeEmptyDirectories } from "../../io/durable/remove-directory.ts";
import { fileMode, listDirectory, parentOf, readText } from "../../io/files/read-file.ts";
import { textHash } from "../../io/files/text-hash.ts";
import { messageOf } from "../../core/message-of.ts";

/** What a step did, and how to undo it. */
export interface DoneStep {
  readonly change: string;
  /** The copy of the replaced file. */
  readonly kept?: string;
  undo(): void;
}

/** Marks a copy of a file that the user wrote or changed: uninstall keeps it, but removes copies of our own files. */
const foreign = "yours";

/** Writes one file of a plan, after copying the file it replaces. Undefined when the same file already exists. */
export function writePlanned(
  file: PlannedFile,
  keep: { readonly directory: string; readonly now: number; readonly isOurs: (path: string, hash: string) => boolean },
): DoneStep | undefined {
  const { path, content, mode } = file;
  const present = readText(path);
  if (present === content && fileMode(path) === mode) return undefined;
  makeDirectory(parentOf(path), { shared: true });
  if (present === undefined) {
    return carryOut(file, { change: `write ${path}`, undo: () => void removeFile(path) });
  }
  const oldMode = fileMode(path) ?? mode;
  const kept = keepCopy(path, keep.directory, `${keep.now}-${keep.isOurs(path, textHash(present)) ? "ours" : foreign}`);
  const undo = (): void => {
    replaceFile(path, present, { mode: oldMode });
    removeFile(kept);
    removeEmptyDirectories(keep.directory);
  };
  return carryOut(file, { change: `replace ${path}`, kept, undo });
}

/** A write can fail after the file is in place (at the last sync, for example), so a failed write is undone too. */
function carryOut({ path, content, mode }: PlannedFile, step: DoneStep): DoneStep {
  try {
    replaceFile(path, content, { mode });
    return step;
  } catch (error) {
    try {
      step.undo();
    } catch {
      const reason = messageOf(error);
      throw new Failure("failed", `${reason}; undoing the write failed too`, { cause: error });
    }
    throw error;
  }
}

/** Removes a file that install wrote. If it was changed since, keeps a copy and returns its path. */
export function removeWritten(
  { path, hash }: { readonly path: string; readonly hash: string },
  keep: { readonly directory: string; readonly now: number },
): { change?: string; kept?: string } {
  const present = readText(path);
  if (present === undefined) return {};
  const kept = textHash(present) === hash ? undefined : keepCopy(path, keep.directory, `${keep.now}-${foreign}`);
  removeFile(path);
  return { change: `remove ${path}`, ...(kept === undefined ? {} : { kept }) };
}

/** Removes the copies of our own files. Returns the remaining copies, which belong to the user. */
export function removeCopies(directory: string): string[] {
  const names = listDirectory(directory);
  for (const name of names.filter((each) => !isForeign(each))) removeFile(`${directory}/${name}`);
  removeEmptyDirectories(directory);
  return names.filter(isForeign).map((name) => `${directory}/${name}`);
}

const isForeign = (name: string): boolean => new RegExp(`^\\d+-${foreign}-`).test(name);

function keepCopy(path: string, directory: string, prefix: string): string {
  makeDirectory(directory);
  const kept = `${directory}/${prefix}-${path.split(/[\\/]/).at(-1) ?? "file"}`;
  copyFile(path, kept);
  return kept;
}
