import { closeSync, constants, fdatasyncSync, fstatSync, openSync, writeSync } from "node:fs";
import { attempt, codeOf, refusal } from "./durable-error.ts";

const appending = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);

/** Appends a line to a file that other processes append to: each line is one write at the end, so none is lost. */
export function appendLine(path: string, line: string): void {
  attempt("append to", path, () => write(openSync(path, appending | constants.O_CREAT, 0o600), line));
}

/** Like `appendLine`, and returns the new size; undefined when the file does not exist. */
export function appendLineIfExists(path: string, line: string): number | undefined {
  return attempt("append to", path, () => {
    const descriptor = openExisting(path);
    return descriptor === undefined ? undefined : write(descriptor, line);
  });
}

function openExisting(path: string): number | undefined {
  try {
    return openSync(path, appending);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function write(descriptor: number, line: string): number {
  try {
    const bytes = new TextEncoder().encode(`${line}\n`);
    const count = writeSync(descriptor, bytes);
    if (count !== bytes.length) throw refusal("short-write", `the system took ${count} bytes of ${bytes.length}`);
    fdatasyncSync(descriptor);
    return fstatSync(descriptor).size;
  } finally {
    closeSync(descriptor);
  }
}
