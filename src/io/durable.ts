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
import { platform } from "../platform/current.ts";
import { appendBytes, type ByteRange } from "./durable-append.ts";
import { attempt, codeOf, refusal } from "./durable-error.ts";
import { syncDirectory } from "./sync-directory.ts";
import { discardTemporary, stageBeside } from "./durable-temporary.ts";

// The only writer of state. Each function returns when its effect would survive a power cut, or throws a
// DurableError; a kill at any point leaves the old content or the new, whole. Symbolic links are replaced, not
// followed: who wants to write through one resolves it first.

export { DurableError } from "./durable-error.ts";
export { makeDirectory } from "./durable-directory.ts";
export { sweepTemporaries } from "./durable-temporary.ts";

type WithMode = { readonly mode?: number };
/** A range of an open file is copied in constant memory. */
type Content = string | Uint8Array | ByteRange;

/** Puts this content in the place of whatever was there. */
export function replaceFile(path: string, content: Content, { mode = 0o600 }: WithMode = {}): void {
  attempt("write", path, () => {
    const temporary = stageBeside(path, mode, fillWith(content));
    try {
      insist(() => renameSync(temporary, path));
    } catch (error) {
      discardTemporary(temporary);
      throw error;
    }
    syncDirectory(dirname(path));
  });
}

/**
 * As replaceFile, with content in parts, and only if `verify` accepts it: it sees the finished file, by its path, before
 * that takes the place of the old one, and throws when it is not right.
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
      insist(() => renameSync(temporary, path));
    } catch (error) {
      discardTemporary(temporary);
      throw error;
    }
    syncDirectory(dirname(path));
  });
}

/** As replaceFile, but fails with EEXIST when there is something already. */
export function createFile(path: string, content: Content, { mode = 0o600 }: WithMode = {}): void {
  attempt("create", path, () => publishNew(stageBeside(path, mode, fillWith(content)), path));
}

/** Copies a file, or its first `length` bytes; fails with EEXIST when there is something already. */
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
  /** How much of the target is known to be good. What lies beyond was never acknowledged, and is dropped. */
  readonly at: number;
  readonly mode?: number;
  /** Sees each chunk as it passes, so that it can be hashed without reading it again. */
  readonly onChunk?: (bytes: Uint8Array) => void;
};

/** Makes the target consist of its first `at` bytes and the range; returns its new size. */
export function appendRange({ target, at, mode = 0o600, onChunk, ...range }: Append): number {
  return attempt("append to", target, () => {
    const flags = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | (at === 0 ? constants.O_CREAT : 0);
    const descriptor = openSync(target, flags, mode);
    try {
      const { size } = fstatSync(descriptor);
      if (size < at) throw refusal("short-target", `it has ${size} bytes, where ${at} were expected`);
      try {
        // First of all: so at every later moment, killed or not, whatever lies beyond `at` is of this range.
        if (size > at) ftruncateSync(descriptor, at);
        const end = appendBytes(descriptor, at, range, onChunk);
        fdatasyncSync(descriptor);
        // Whenever it could be new: an earlier call may have created it and died before this line.
        if (at === 0) syncDirectory(dirname(target));
        return end;
      } catch (error) {
        takeBack(descriptor, at);
        throw error;
      }
    } finally {
      closeSync(descriptor);
    }
  });
}

/** Renames; fails with EEXIST when `to` exists, unless told to overwrite. Two movers to one name need a lock. */
export function moveFile(from: string, to: string, { overwrite = false }: { overwrite?: boolean } = {}): void {
  attempt("move to", to, () => {
    attempt("move", from, () => lstatSync(from));
    // Not link and unlink, which would be free of the race: a kill in between would leave two names for one
    // file, and the next append to the one would change the other.
    if (!overwrite) refuseExisting(to);
    insist(() => renameSync(from, to));
    // The new name first: a power cut in between may show both, never none.
    syncDirectory(dirname(to));
    if (dirname(from) !== dirname(to)) syncDirectory(dirname(from));
  });
}

/** Returns whether there was anything to remove. */
export function removeFile(path: string): boolean {
  return attempt("remove", path, () => {
    const existed = tolerate("ENOENT", () => insist(() => unlinkSync(path)));
    // Also when it was gone already: an earlier call may have died before this line.
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

// A link, unlike a rename, refuses an existing name in the same step.
function linkOrRename(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    // No hard links on FAT and some network file systems: there, look first.
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(codeOf(error))) throw error;
    refuseExisting(path);
    insist(() => renameSync(temporary, path));
  }
}

function refuseExisting(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw refusal("EEXIST", "it exists already");
}

// Best effort, for tidiness: the caller's `at` is what counts, and the next call drops the tail again.
function takeBack(descriptor: number, at: number): void {
  try {
    ftruncateSync(descriptor, at);
  } catch {
    // The error that brought us here is the one to report.
  }
}

// On Windows a reader or a virus scanner may have the file open for a moment: about half a second of patience.
function insist(action: () => void): void {
  for (let pause = 1; ; pause *= 2) {
    try {
      return action();
    } catch (error) {
      const passing = platform.openFilesResist && ["EPERM", "EBUSY", "EACCES"].includes(codeOf(error));
      if (!passing || pause > 256) throw error;
      Bun.sleepSync(pause);
    }
  }
}

function tolerate(code: string, action: () => void): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if (codeOf(error) !== code) throw error;
    return false;
  }
}
