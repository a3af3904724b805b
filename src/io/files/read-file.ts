import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
  type Stats,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { attempt, refusal } from "../durable/durable-error.ts";

export interface OpenFile {
  readonly fd: number;
  readonly size: number;
  /** Identifies the file independently of its name: device and inode, which may exceed the range of a number. */
  readonly identity: string;
}

/** Without O_NONBLOCK, opening a pipe without a writer blocks forever; the check for a regular file follows. */
const readWithoutWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

const newline = 0x0a;
const chunkBytes = 256 * 1024;

/** Opens a regular file, runs the body, and closes it. Undefined when there is no such file. */
export function withFile<T>(path: string, work: (file: OpenFile) => T): T | undefined {
  const fd = unlessMissing(() => openSync(path, readWithoutWaiting));
  if (fd === undefined) return undefined;
  try {
    const stats = fstatSync(fd, { bigint: true });
    if (!stats.isFile()) throw refusal("not-a-file", `${path} is not a regular file`);
    return work({ fd, size: Number(stats.size), identity: identityOf(stats) });
  } finally {
    closeSync(fd);
  }
}

const identityOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

/** Undefined when there is no such file. */
export function fileSize(path: string): number | undefined {
  return statOf(path)?.size;
}

export function fileFacts(path: string): { size: number; modified: number } | undefined {
  const stats = statOf(path);
  return stats?.isFile() ? { size: stats.size, modified: stats.mtimeMs } : undefined;
}

/** Of a file or directory, in milliseconds since 1970; 0 when there is none. A rename in a directory changes it. */
export const modifiedTime = (path: string): number => statOf(path)?.mtimeMs ?? 0;

export function fileMode(path: string): number | undefined {
  const stats = statOf(path);
  return stats && stats.mode & 0o777;
}

/** Whether the file has another name, too: then its bytes are not ours alone. */
export function isSharedFile(path: string): boolean {
  return (statOf(path)?.nlink ?? 0) > 1;
}

export function isDirectory(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false;
}

export const parentOf = dirname;

const maxLinks = 40;

/**
 * Resolves links, so that replacing the path replaces the file and not a link to it. A link to a missing file resolves to that
 * missing path, because the file belongs there.
 */
export function resolveLinks(path: string): string {
  let end = path;
  for (let links = 0; links < maxLinks; links++) {
    const real = unlessMissing(() => realpathSync(end));
    if (real !== undefined) return real;
    const target = linkTarget(end);
    if (target === undefined) return end;
    end = resolve(realpathSync(dirname(end)), target);
  }
  throw refusal("ELOOP", `${path} has too many levels of symbolic links`);
}

function linkTarget(path: string): string | undefined {
  const stats = unlessMissing(() => lstatSync(path, { throwIfNoEntry: false }));
  return stats?.isSymbolicLink() ? readlinkSync(path) : undefined;
}

/** Names in a directory; empty when there is no such directory. */
export function listDirectory(path: string): string[] {
  return unlessMissing(() => readdirSync(path)) ?? [];
}

/** Relative paths of all regular files under a directory; symbolic links are not followed. */
export function listFiles(path: string): string[] {
  const entries = unlessMissing(() => readdirSync(path, { recursive: true, withFileTypes: true })) ?? [];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)))
    .sort();
}

/** Whether the path leads to the open file, possibly through links. */
export function isSameFile(path: string, file: OpenFile): boolean {
  const stats = unlessMissing(() => statSync(path, { bigint: true }));
  return stats !== undefined && identityOf(stats) === file.identity;
}

/** Undefined when there is no such file. */
export function readText(path: string): string | undefined {
  const bytes = readBytes(path);
  return bytes && new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Undefined when there is no such file. */
export function readBytes(path: string): Uint8Array | undefined {
  return attempt("read", path, () => withFile(path, ({ fd, size }) => readRange(fd, 0, size)));
}

function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

// A file in the place of a directory also means that nothing exists below it.
function statOf(path: string): Stats | undefined {
  return unlessMissing(() => statSync(path, { throwIfNoEntry: false }));
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === "ENOENT" || code === "ENOTDIR";
}

/** The bytes [from, to); fewer only at the end of the file. */
export function readRange(fd: number, from: number, to: number): Uint8Array {
  const buffer = new Uint8Array(Math.max(0, to - from));
  let filled = 0;
  while (filled < buffer.length) {
    const count = readSync(fd, buffer, filled, buffer.length - filled, from + filled);
    if (count === 0) return buffer.subarray(0, filled);
    filled += count;
  }
  return buffer;
}

/**
 * Visits [from, to) in chunks. A chunk is valid only during its visit: all are read into one buffer that is reused, or into
 * the space that the visitor provides for the next one.
 */
export function forEachChunk(
  fd: number,
  from: number,
  to: number,
  visit: (bytes: Uint8Array) => void,
  spaceForNext?: () => Uint8Array | undefined,
): void {
  let own: Uint8Array | undefined;
  let position = from;
  while (position < to) {
    const buffer = spaceForNext?.() ?? (own ??= new Uint8Array(Math.min(chunkBytes, to - from)));
    const count = readSync(fd, buffer, 0, Math.min(buffer.length, to - position), position);
    if (count === 0) throw refusal("short-file", `file ended at ${position}, expected ${to} bytes`);
    visit(buffer.subarray(0, count));
    position += count;
  }
}

/** The end of the last complete line in [from, to), or `from` when there is none: an unfinished line is still being written. */
export function lastLineEnd(fd: number, from: number, to: number): number {
  let end = to;
  while (end > from) {
    const start = Math.max(from, end - chunkBytes);
    const at = readRange(fd, start, end).lastIndexOf(newline);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return from;
}

/** Whether two ranges of one file hold the same bytes. */
export function sameStretches(fd: number, one: number, other: number, length: number): boolean {
  for (let start = 0; start < length; start += chunkBytes) {
    const size = Math.min(chunkBytes, length - start);
    const [here, there] = [one, other].map((from) => readRange(fd, from + start, from + start + size));
    if (!here || !there || Buffer.compare(here, there) !== 0) return false;
  }
  return true;
}

export function sameBytes(fdA: number, fdB: number, from: number, to: number): boolean {
  for (let start = from; start < to; start += chunkBytes) {
    const end = Math.min(to, start + chunkBytes);
    if (Buffer.compare(readRange(fdA, start, end), readRange(fdB, start, end)) !== 0) return false;
  }
  return true;
}

/** Device and inode of a file, directory or link; undefined when there is none. A rename keeps them. */
export function identityAt(path: string): string | undefined {
  const stats = unlessMissing(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  return stats && identityOf(stats);
}

/** Tells a directory from another one that later has its path or its number: a moved directory keeps it. */
export function directoryIdentity(path: string): string {
  const { dev, ino, birthtimeMs } = statSync(path);
  return `${dev}:${ino}:${birthtimeMs}`;
}

/** An absolute path without `.`, `..` and a separator at the end. Links stay. */
export const tidyPath = (path: string, directory: string): string => resolve(directory, path);
