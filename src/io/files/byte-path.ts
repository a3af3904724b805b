import { accessSync, constants, lstatSync, type Stats } from "node:fs";

/** A path below a directory as bytes, one per character: file names need not be valid UTF-8. */
export type BytePath = string;

/** The path for a system call. */
export const absoluteBytes = (root: string, path: BytePath): Buffer =>
  Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);

/** The path as text for people and for JSON. */
export const textOfBytes = (path: BytePath): string => Buffer.from(path, "latin1").toString("utf8");

export const bytesOfText = (path: string): BytePath => Buffer.from(path).toString("latin1");

/** Undefined when there is no such file. Links are not followed. */
export function lookAt(root: string, path: BytePath): Stats | undefined {
  try {
    return lstatSync(absoluteBytes(root, path), { throwIfNoEntry: false });
  } catch {
    // A parent is not a directory, or cannot be searched.
    return undefined;
  }
}

export function isReadable(root: string, path: BytePath): boolean {
  try {
    accessSync(absoluteBytes(root, path), constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
