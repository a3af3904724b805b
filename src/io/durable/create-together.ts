import { closeSync, existsSync, fchmodSync, fsync, mkdirSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { appendBytes } from "./append.ts";
import { codeOf, DurableError } from "./durable-error.ts";
import { discardTemporary, temporaryBeside } from "./temporary.ts";

export interface NewFile {
  path: string;
  content: Uint8Array;
}

const syncFile = promisify(fsync);

/**
 * Creates files whose content never changes once they have their name; existing ones stay. All contents are synced at the same
 * time, so that the file system writes its journal once for all of them, and only then get their names. The caller syncs the
 * directories.
 */
export async function createTogether(files: readonly NewFile[]): Promise<void> {
  const staged: { path: string; temporary: string }[] = [];
  try {
    const syncs = files
      .filter(({ path }) => !existsSync(path))
      .map(({ path, content }) => {
        makeParent(path);
        const { path: temporary, descriptor } = temporaryBeside(path);
        staged.push({ path, temporary });
        return fill(descriptor, content);
      });
    // Every one of them has ended before the temporary files are named or removed.
    const failed = (await Promise.allSettled(syncs)).find((result) => result.status === "rejected");
    if (failed) throw failed.reason;
    for (const { path, temporary } of staged) renameSync(temporary, path);
  } catch (error) {
    for (const { temporary } of staged) discardTemporary(temporary);
    throw error instanceof DurableError ? error : new DurableError("create", files[0]?.path ?? "", error);
  }
}

async function fill(descriptor: number, content: Uint8Array): Promise<void> {
  try {
    appendBytes(descriptor, 0, { source: content, from: 0, to: content.length });
    fchmodSync(descriptor, 0o400);
    await syncFile(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function makeParent(path: string): void {
  try {
    mkdirSync(dirname(path), 0o700);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}
