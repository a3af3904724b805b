import { appendLine } from "../../io/durable/append-line.ts";
import { makeDirectory, moveFile } from "../../io/durable/durable.ts";
import { fileSize, parentOf, readText } from "../../io/files/read-file.ts";
import { messageOf } from "../../core/message-of.ts";

const maxLogBytes = 1_000_000;

/** What a service did and why, one line each; keeps one old file. Only the process of the service writes it. */
export class ServiceLog {
  readonly #path: string;
  readonly #now: () => number;

  constructor(path: string, now: () => number) {
    this.#path = path;
    this.#now = now;
  }

  /** A write error must not stop the service: the line goes to stderr, which the system keeps. */
  write(message: string): void {
    const line = `${new Date(this.#now()).toISOString()} ${message.replace(/[\r\n]+/g, " ")}`;
    try {
      makeDirectory(parentOf(this.#path));
      if ((fileSize(this.#path) ?? 0) > maxLogBytes) moveFile(this.#path, `${this.#path}.old`, { overwrite: true });
      appendLine(this.#path, line);
    } catch (error) {
      console.error(`${line} (not in the log: ${messageOf(error)})`);
    }
  }
}

/** The last lines, oldest first. */
export function readServiceLog(path: string, count: number): string[] {
  const lines = (file: string): string[] => (readText(file) ?? "").split("\n").filter((line) => line !== "");
  const newest = lines(path);
  const all = newest.length >= count ? newest : [...lines(`${path}.old`), ...newest];
  return count === 0 ? [] : all.slice(-count);
}
