import { closeSync, constants, fdatasyncSync, openSync, writeSync } from "node:fs";
import { attempt, refusal } from "./durable-error.ts";

/** Adds a line to a file that others add lines to at the same moment: each is one write at the end, so none is lost. */
export function appendLine(path: string, line: string): void {
  attempt("append to", path, () => {
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
    const descriptor = openSync(path, flags, 0o600);
    try {
      const bytes = new TextEncoder().encode(`${line}\n`);
      const count = writeSync(descriptor, bytes);
      if (count !== bytes.length) throw refusal("short-write", `the system took ${count} bytes of ${bytes.length}`);
      fdatasyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  });
}
