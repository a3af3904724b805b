import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
} from "node:fs";
import { dirname } from "node:path";
import { platform } from "../../platform/current.ts";
import { appendBytes, type ByteRange } from "./append.ts";
import { attempt, codeOf, refusal } from "./durable-error.ts";
import { syncDirectory } from "./sync-directory.ts";
import { discardTemporary, stageBeside } from "./temporary.ts";

// The only writer of state. Each function returns when its effect would survive a power cut, or throws a
// DurableError. A kill at any point leaves the complete old or the complete new content. Symbolic links are replaced, not
// followed: resolve a link first to write through it.

export { DurableError } from "./durable-error.ts";
export { makeDirectory } from "./directory.ts";
export { sweepTemporaries } from "./temporary.ts";

type WithMode = { readonly mode?: number };
/** A range of an open file is copied in constant memory. */
type Content = string | Uint8Array | ByteRange;

/** Replaces the content of the file, or creates it. */
export function replaceFile(path: string, content: Content, { mode = 0o600 }: WithMode = {}): void {
  attempt("write", path, () => publishStaged(stageBeside(path, mode, fillWith(content)), path));
}

/** Gives a complete, synced file its name, in place of the old one. */
export function publishStaged(temporary: string, path: string): void {
  try {
    retryWhileOpen(() => renameSync(temporary, path));
  } catch (error) {
    discardTemporary(temporary);
    throw error;
  }
  syncDirectory(dirname(path));
}

/**
 * Like replaceFile, with content in parts. `verify` gets the path of the new file before it replaces the old one; when `verify`
 * throws, the old file stays.
 */
export function replaceVerified(
  path: string,
  parts: Iterable<ByteRange>,
  { mode = 0o600, verify }: WithMode & { readonly verify: (staged: string) => void },
): void {
  attempt("write", path, () => {
    const temporary = stageBeside(path, mode, (descriptor) => {
      let size = 0;
      for (const part of parts) size = appendBytes(descriptor, size, part);
      return size;
    });
    try {
      verify(temporary);
    } catch (error) {
      discardTemporary(temporary);
      throw error;
    }
    publishStaged(temporary, path);
  });
}

/** Like replaceFile, but fails with EEXIST when the file exists. */
export function createFile(path: string, content: Content, { mode = 0o600 }: WithMode = {}): void {
  attempt("create", path, () => publishNew(stageBeside(path, mode, fillWith(content)), path));
}

/** Copies a file, or its first `length` bytes; fails with EEXIST when the target exists. */
export function copyFile(
  from: string,
  to: string,
  { length, mode = 0o600 }: WithMode & { readonly length?: number } = {},
): void {
  attempt("copy to", to, () => {
    const source = attempt("read", from, () => openSync(from, constants.O_RDONLY));
    try {
      const range = { source, from: 0, to: length ?? fstatSync(source).size };
      publishNew(
        stageBeside(to, mode, (descriptor) => appendBytes(descriptor, 0, range)),
        to,
      );
    } finally {
      closeSync(source);
    }
  });
}

export type Append = ByteRange & {
  readonly target: string;
  /** How many bytes of the target are valid. Bytes beyond were never acknowledged and are dropped. */
  readonly at: number;
  readonly mode?: number;
  /** Receives each chunk, so that it can be hashed without a second read. */
  readonly onChunk?: (bytes: Uint8Array) => void;
};

/** Makes the target consist of its first `at` bytes and the range; returns its new size. */
export function appendRange({ target, at, mode = 0o600, onChunk, ...range }: Append): number {
  return attempt("append to", target, () => {
    const flags = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | (at === 0 ? constants.O_CREAT : 0);
    const descriptor = openSync(target, flags, mode);
    try {
      const { size } = fstatSync(descriptor);
      if (size < at) throw refusal("short-target", `it has ${size} bytes, expected at least ${at}`);
      try {
        // Truncates first, so that at every later moment, even after a kill, all bytes beyond `at` belong to this range.
        if (size > at) ftruncateSync(descriptor, at);
        const end = appendBytes(descriptor, at, range, onChunk);
        fdatasyncSync(descriptor);
        // Also for an existing file, because an earlier call may have created it and died before this line.
        if (at === 0) syncDirectory(dirname(target));
        return end;
      } catch (error) {
        dropTail(descriptor, at);
        throw error;
      }
    } finally {
      closeSync(descriptor);
    }
  });
}

/** Renames; fails with EEXIST when `to` exists, unless `overwrite` is set. Two processes that rename to one name need a lock. */
export function moveFile(from: string, to: string, { overwrite = false }: { overwrite?: boolean } = {}): void {
  attempt("move to", to, () => {
    attempt("move", from, () => lstatSync(from));
    // Link and unlink would avoid the race, but a kill in between would leave two names for one file, and the next append
    // to one would change the other.
    if (!overwrite) refuseExisting(to);
    retryWhileOpen(() => renameSync(from, to));
    // The new name first: a power cut in between may show both names, but never none.
    syncDirectory(dirname(to));
    if (dirname(from) !== dirname(to)) syncDirectory(dirname(from));
  });
}

/** Returns whether the file existed. */
export function removeFile(path: string): boolean {
  return attempt("remove", path, () => {
    const existed = tolerate("ENOENT", () => retryWhileOpen(() => unlinkSync(path)));
    // Also when the file is already gone: an earlier call may have died before this line.
    tolerate("ENOENT", () => syncDirectory(dirname(path)));
    return existed;
  });
}

function fillWith(content: Content): (descriptor: number) => number {
  const range = rangeOf(typeof content === "string" ? new TextEncoder().encode(content) : content);
  return (descriptor) => appendBytes(descriptor, 0, range);
}

const rangeOf = (content: Uint8Array | ByteRange): ByteRange =>
  content instanceof Uint8Array ? { source: content, from: 0, to: content.length } : content;

function publishNew(temporary: string, path: string): void {
  try {
    linkOrRename(temporary, path);
  } finally {
    discardTemporary(temporary);
  }
  syncDirectory(dirname(path));
}

// Unlike a rename, a link refuses an existing name atomically.
function linkOrRename(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    // FAT and some network file systems have no hard links: there, check first.
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(codeOf(error))) throw error;
    refuseExisting(path);
    retryWhileOpen(() => renameSync(temporary, path));
  }
}

function refuseExisting(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw refusal("EEXIST", "it already exists");
}

// Best effort: the caller's `at` decides what is valid, and the next call drops the tail again.
function dropTail(descriptor: number, at: number): void {
  try {
    ftruncateSync(descriptor, at);
  } catch {
    // The original error is the one to report.
  }
}

// On Windows a reader or a virus scanner may have the file open for a moment: retry for about half a second.
function retryWhileOpen(action: () => void): void {
  for (let pause = 1; ; pause *= 2) {
    try {
      return action();
    } catch (error) {
      const isTemporary = platform.cannotReplaceOpenFiles && ["EPERM", "EBUSY", "EACCES"].includes(codeOf(error));
      if (!isTemporary || pause > 256) throw error;
      Bun.sleepSync(pause);
    }
  }
}

/** Returns false when the action fails with this code. */
function tolerate(code: string, action: () => void): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if (codeOf(error) !== code) throw error;
    return false;
  }
}
