import { Failure } from "../core/failure.ts";
import type { PlannedFile } from "../core/service-options.ts";
import { copyFile, makeDirectory, removeFile, replaceFile } from "../io/durable.ts";
import { removeEmptyDirectories } from "../io/durable-remove-directory.ts";
import { fileMode, listDirectory, parentOf, readText } from "../io/read-file.ts";
import { textHash } from "../io/text-hash.ts";

/** What a step did, and how to take it back. */
export interface DoneStep {
  readonly change: string;
  /** Where the file that was replaced is kept. */
  readonly kept?: string;
  undo(): void;
}

/** A copy of what somebody else wrote, or changed: uninstall leaves it. Copies of our own files it removes. */
const foreign = "yours";

/** Writes one file of a plan; what was there is kept first. Undefined when it is there already, to the byte. */
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

/** Written may it be all the same when the system says that it failed, as at the last sync: so it is taken back. */
function carryOut({ path, content, mode }: PlannedFile, step: DoneStep): DoneStep {
  try {
    replaceFile(path, content, { mode });
    return step;
  } catch (error) {
    try {
      step.undo();
    } catch {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Failure("failed", `${reason}; what is there now could not be taken back`, { cause: error });
    }
    throw error;
  }
}

/** Removes a file of ours; one that was changed since is kept elsewhere. Returns where, if so. */
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

/** The copies of our own files; returns those that are somebody else's and stay. */
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
