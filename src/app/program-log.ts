import { appendLine } from "../io/durable/append-line.ts";
import { makeDirectory, moveFile } from "../io/durable/durable.ts";
import { fileSize, readText } from "../io/files/read-file.ts";
import { tryLock } from "../store/lock.ts";
import type { Environment } from "./environment.ts";

const maxLogBytes = 1_000_000;

/** Writes one line that `status` and `doctor` show. Never throws. */
export function logProblem(environment: Environment, message: string): void {
  writeLine(environment, message);
}

const debugPrefix = "debug:";

/** Writes one line for debugging; `status` and `doctor` do not show it. */
export function logDebug(environment: Environment, message: string): void {
  writeLine(environment, `${debugPrefix} ${message}`);
}

/** The newest problems of the last week, with their times. */
export function recentProblems({ paths, now }: Environment): string[] {
  const lines = (readText(paths.log) ?? "").trimEnd().split("\n");
  const isRecent = (line: string): boolean => now() - Date.parse(line.split(" ")[0] ?? "") < 7 * 86_400_000;
  return lines.filter((line) => line.split(" ")[1] !== debugPrefix && isRecent(line)).slice(-3);
}

function writeLine(environment: Environment, message: string): void {
  try {
    const { log, root } = environment.paths;
    makeDirectory(`${root}/logs`);
    if (isFull(log)) rotateLog(log);
    appendLine(log, `${new Date(environment.now()).toISOString()} ${message.replaceAll("\n", " ")}`);
  } catch {
    // A hook must not print or fail because the disk is full or the log is not writable.
  }
}

const isFull = (log: string): boolean => (fileSize(log) ?? 0) > maxLogBytes;

/** Under a lock: a second hook that rotates at the same time would overwrite the old log with a nearly empty one. */
function rotateLog(log: string): void {
  const lock = tryLock(`${log}.lock`);
  if (!lock) return;
  try {
    if (isFull(log)) moveFile(log, `${log}.old`, { overwrite: true });
  } finally {
    lock.discard();
  }
}
