import { closeSync, existsSync, fchmodSync, mkdirSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { appendBytes } from "./append.ts";
import { publishStaged } from "./durable.ts";
import { codeOf, DurableError } from "./durable-error.ts";
import { syncLater } from "./sync-directory.ts";
import { discardTemporary, keepOwner, temporaryBeside } from "./temporary.ts";

// Several files are synced at the same time, so that the file system writes its journal once for all of them.

export interface NewFile {
  path: string;
  content: Uint8Array;
}

/**
 * Creates files whose content never changes once they have their name; existing ones stay. No file has its name before all
 * contents are synced. The caller syncs the directories.
 */
export async function createTogether(files: readonly NewFile[]): Promise<void> {
  const missing = files.filter(({ path }) => !existsSync(path));
  const staged = await allOf(missing.map(({ path, content }) => stage(path, content, 0o400)));
  try {
    for (const { path, temporary } of staged) renameSync(temporary, path);
  } catch (error) {
    for (const { temporary } of staged) discardTemporary(temporary);
    throw new DurableError("create", files[0]?.path ?? "", error);
  }
}

/** Like replaceFile, but the old content stays until `ready` has ended without an error. The new content is synced meanwhile. */
export async function replaceFileAfter(path: string, text: string, ready: Promise<unknown>): Promise<void> {
  const nothing = ready.then((): Staged[] => []);
  const [staged] = await allOf([stage(path, new TextEncoder().encode(text), 0o600), nothing]);
  try {
    if (staged) publishStaged(staged.temporary, path);
  } catch (error) {
    throw new DurableError("write", path, error);
  }
}

interface Staged {
  path: string;
  temporary: string;
}

/** Waits for every one. When one fails, the files of the others are removed. */
async function allOf(stagings: readonly Promise<Staged[]>[]): Promise<Staged[]> {
  const results = await Promise.allSettled(stagings);
  const staged = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
  const failed = results.find((result) => result.status === "rejected");
  if (!failed) return staged;
  for (const { temporary } of staged) discardTemporary(temporary);
  throw failed.reason;
}

async function stage(path: string, content: Uint8Array, mode: number): Promise<Staged[]> {
  let temporary: string | undefined;
  try {
    makeParent(path);
    const opened = temporaryBeside(path);
    temporary = opened.path;
    try {
      appendBytes(opened.descriptor, 0, { source: content, from: 0, to: content.length });
      keepOwner(opened.descriptor, path);
      fchmodSync(opened.descriptor, mode);
      await syncLater(opened.descriptor);
    } finally {
      closeSync(opened.descriptor);
    }
    return [{ path, temporary }];
  } catch (error) {
    if (temporary !== undefined) discardTemporary(temporary);
    throw new DurableError("write", path, error);
  }
}

function makeParent(path: string): void {
  try {
    mkdirSync(dirname(path), 0o700);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}
